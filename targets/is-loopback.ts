/** 127.0.0.0/8, ::1 and localhost: nobody else's machine can be overrun there, and nobody listens on the way. */
export function isLoopback(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? '';
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
