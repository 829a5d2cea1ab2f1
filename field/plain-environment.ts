/** The variables that a program needs to reach the registry: npm settings, certificates and proxies. */
const passed =
  /^(HOME|PATH|NODE_EXTRA_CA_CERTS|SSL_CERT_(DIR|FILE)|(npm_config|NPM_CONFIG)_\w+|(https?|no)_proxy|(HTTPS?|NO)_PROXY)$/;

/**
 * The environment of this process without the variables of a test runner or an outer npm. npm asks the registry only for what it
 * has not fetched before: each of many installations would ask for the same packages again.
 */
export function plainEnvironment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && passed.test(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(entries), npm_config_prefer_offline: 'true' };
}
