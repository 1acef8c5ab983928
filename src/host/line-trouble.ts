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
