/** The specified document. The API's own description carries the version (section 9). */
export const specification = { title: 'Analytics Workspace Public API Specification', version: '0.0.0' } as const;
