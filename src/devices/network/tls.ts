/** Returns the HTTPS of Node. The first call loads it with TLS: 4 ms and 5 MB, which most starts do not need. */
export const https = () => process.getBuiltinModule('node:https')

/** Returns the TLS of Node, loaded by the first call as well. */
export const tls = () => process.getBuiltinModule('node:tls')
