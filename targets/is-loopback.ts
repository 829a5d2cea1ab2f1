/** 127.0.0.0/8, ::1 and localhost: no other machine can be overloaded, and no network can listen. */
export function isLoopback(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? '';
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
