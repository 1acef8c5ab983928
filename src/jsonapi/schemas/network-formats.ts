import { isIP } from 'node:net'

/** Text formats that schemas may use in addition to those of JSON Schema. */
export const networkFormats: Record<'ip-address' | 'network', (text: string) => boolean> = {
  'ip-address': (text) => isIP(text) !== 0,
  network: isNetwork,
}

/**
 * The shortest allowed prefix of a network, in bits. No network of a hotel is larger than 10.0.0.0/8, and a list of the
 * whole internet would allow every address.
 */
const fewestBits = { 4: 8, 6: 32 }

function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  if (version !== 4 && version !== 6) return false
  const prefix = Number(bits ?? (version === 4 ? 32 : 128))
  return prefix >= fewestBits[version] && prefix <= (version === 4 ? 32 : 128)
}
