/**
 * The HTTP of Node. It is not imported, because an import of `node:http` reads each of its exports, and one of them loads
 * an HTTP client that the program does not use: 20 ms of a start and 16 MB.
 */
export const http = process.getBuiltinModule('node:http')

/** Returns the HTTPS of Node. It is loaded by the first call, because that takes 4 ms and 5 MB. */
export const https = () => process.getBuiltinModule('node:https')
