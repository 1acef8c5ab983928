/** Why a machine in the network cannot be used, as far as the error of a request says it. */
export type LineTrouble = 'unknown-name' | 'silent' | 'refused' | 'cut' | 'certificate'

const troubles: Readonly<Record<string, LineTrouble>> = {
  ENOTFOUND: 'unknown-name',
  EAI_AGAIN: 'unknown-name',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'silent',
  EHOSTUNREACH: 'silent',
  ENETUNREACH: 'silent',
  // The firewall of this machine.
  EACCES: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'silent',
  UND_ERR_HEADERS_TIMEOUT: 'silent',
  UND_ERR_BODY_TIMEOUT: 'silent',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  UND_ERR_SOCKET: 'cut',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  CERT_HAS_EXPIRED: 'certificate',
  CERT_NOT_YET_VALID: 'certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
}

/** Returns the trouble that an error, or its cause, names; null for any other error. */
export function lineTrouble(error: unknown): LineTrouble | null {
  const { code, name, cause } = error as NodeJS.ErrnoException
  if (cause) return lineTrouble(cause)
  return name === 'TimeoutError' ? 'silent' : (troubles[code ?? ''] ?? null)
}

const words: Readonly<Record<LineTrouble, string>> = {
  'unknown-name': 'no name server knows this name',
  silent: 'nothing answers at this address',
  refused: 'the machine at this address accepts no connection at this port',
  cut: 'the connection was cut',
  certificate: 'its certificate is not trusted, or has ended',
}

/** Returns why a machine in the network cannot be used, as words for a person; what the error says where the trouble is not known. */
export function troubleText(error: unknown): string {
  const trouble = lineTrouble(error)
  if (trouble) return words[trouble]
  // When a name has several addresses, the message is empty and only the code says what happened.
  const { message, code } = error as NodeJS.ErrnoException
  return message || String(code)
}
