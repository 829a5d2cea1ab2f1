/** What a report says about `tls.insecure`. */
export const insecureSentence = 'tls.insecure accepts every certificate: another server may have answered.';
