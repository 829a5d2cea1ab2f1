import { errors } from 'undici';
import { errorCode, shownCode } from '../error-code.ts';
import { TransportError } from '../http.ts';
import { ProxyError } from './proxy.ts';

/** How far an exchange came before it failed. */
export type Progress = {
  stage: 'connecting' | 'waiting' | 'headers' | 'body';
  /** Bytes of the body that arrived, before decoding. */
  bodyBytes: number;
};

const byProxy = 'if only a proxy reaches it, set proxy in the target file or HTTPS_PROXY';
const untrusted = 'if you trust it, name it in tls.ca of the target file or in NODE_EXTRA_CA_CERTS';
const noTls = 'it does not speak TLS; the base URL may have to begin with http://';
const needsCertificate =
  'it accepts no TLS connection without a client certificate that it trusts: set tls.cert and tls.key';
const noCommonTls = 'it speaks no TLS version in common with this client';

const connectReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address: is the deployment running, and the port right?',
  ECONNRESET: 'the other side ended the connection while it was being made',
  EPIPE: 'the other side ended the connection while it was being made',
  ETIMEDOUT: `the address does not answer; ${byProxy}`,
  EHOSTUNREACH: `there is no route to that address; ${byProxy}`,
  ENETUNREACH: `there is no route to that network; ${byProxy}`,
  EADDRNOTAVAIL: 'that address cannot be connected to',
  EACCES: 'this machine does not permit the connection',
  EMFILE: 'this process has too many files open',
  ENOTFOUND: `the host name does not exist, or only in another network; ${byProxy}`,
  EAI_AGAIN: `the host name could not be looked up, because the name server does not answer; ${byProxy}`,
  CERT_HAS_EXPIRED: 'its TLS certificate has expired: it must be renewed at the server',
  CERT_NOT_YET_VALID: 'its TLS certificate is not valid yet: is the clock of this machine right?',
  CERT_REVOKED: 'its TLS certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its TLS certificate is for another host name: use that name in baseUrl, or set it as tls.serverName',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its TLS certificate is self-signed; ${untrusted}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its TLS certificate comes from an authority that is not trusted here; ${untrusted}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its TLS certificate comes from an authority that is not trusted here; ${untrusted}`,
  // A server may omit an intermediate authority, or a private authority may have signed the certificate itself.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the server sends its TLS certificate with no chain to a trusted authority; if a private authority signed it, name that in tls.ca of the target file or in NODE_EXTRA_CA_CERTS; otherwise let the server send the whole chain`,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: noCommonTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: noCommonTls,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'it speaks another version of HTTP: set http2: auto',
  // TLS 1.2 has no alert of its own for a missing certificate.
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE':
    'it refuses the TLS handshake; it may need a client certificate: set tls.cert and tls.key',
  EPROTO: 'the TLS handshake failed',
};

/** The alerts of TLS by which a server refuses the certificate of a client, or that it has none. */
const certificateAlert = /^ERR_SSL_\S*ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN)$/;

/** The messages of undici for bytes that belong to no answer. */
const strayMessages: ReadonlySet<string> = new Set(['bad response', 'bad upgrade']);

/** Converts a transport failure. Its message never contains text from the target. */
export function transportErrorOf(error: Error, progress: Progress): TransportError {
  if (error instanceof ProxyError) return new TransportError('refused', error.message);
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new TransportError('too-large', 'The headers exceed 64 KiB.');
  // Under TLS 1.3, a client learns only after its handshake that the server refuses its certificate.
  if (progress.stage === 'connecting' || certificateAlert.test(code)) return connectError(code);
  // Until the headers are over, a length that does not fit is how undici reports any error of its parser.
  const isUnparsed = error instanceof errors.HTTPParserError || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  if (isUnparsed && progress.stage !== 'body') {
    return new TransportError('malformed', `What came is not HTTP (${parserReason(error)}).`);
  }
  if (strayMessages.has(error.message))
    return new TransportError('malformed', 'What came is not an answer to the request.');
  switch (progress.stage) {
    case 'waiting':
      return new TransportError('reset', `The connection ended before the answer began (${code}).`);
    case 'headers':
      return new TransportError('truncated', `The connection ended within the headers (${code}).`);
    case 'body':
      return new TransportError(
        'truncated',
        `The connection ended, or its framing broke, after ${progress.bodyBytes} bytes of the body (${code}).`,
      );
  }
}

/** Whether a connection was ended because bytes came that no request had asked for. */
export function isStray(error: Error): boolean {
  return strayMessages.has(error.message) || error instanceof errors.HTTPParserError;
}

/** What the parser says in brackets at the end, from its own list of reasons. */
function parserReason(error: Error): string {
  return /\(([\w '`:/.-]{1,80})\)$/.exec(error.message)?.[1] ?? 'its framing is broken';
}

export function timeoutError(timeoutMs: number, progress: Progress): TransportError {
  const limit = `within ${timeoutMs} ms`;
  switch (progress.stage) {
    case 'connecting':
      return new TransportError('timeout', `No connection was made ${limit}; ${byProxy}.`);
    case 'waiting':
      return new TransportError('timeout', `No answer began ${limit}.`);
    case 'headers':
      return new TransportError('timeout', `The headers were not complete ${limit}.`);
    case 'body':
      return new TransportError('timeout', `The body was not complete ${limit}: ${progress.bodyBytes} bytes came.`);
  }
}

function connectError(code: string): TransportError {
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new TransportError('timeout', `No connection was made in time; ${byProxy}.`);
  const ofTls = certificateAlert.test(code) ? needsCertificate : 'the TLS handshake failed';
  const reason = connectReasons[code] ?? (code.startsWith('ERR_SSL_') ? ofTls : 'it failed');
  return new TransportError('refused', `No connection could be made: ${reason} (${code}).`);
}

/** The code of an error, which is never text from the other side. */
function codeOf(error: Error): string {
  if (error instanceof errors.HTTPParserError) return parserReason(error);
  return shownCode(errorCode(error));
}
