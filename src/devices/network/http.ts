/**
 * The HTTP of Node. It is not imported, because an import of `node:http` reads each of its exports, and one of them loads
 * an HTTP client that the program does not use: 20 ms of a start and 16 MB.
 */
export const http = process.getBuiltinModule('node:http')

/** Returns the HTTPS of Node. The first call loads it with TLS: 4 ms and 5 MB, which most starts do not need. */
export const https = () => process.getBuiltinModule('node:https')

/** Returns the TLS of Node, loaded by the first call as well. */
export const tls = () => process.getBuiltinModule('node:tls')
