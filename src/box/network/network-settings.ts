import { isIP } from 'node:net'

/** The settings of the wired network. */
export interface NetworkSettings {
  /** `dhcp`, or the IPv4 address with the length of its prefix, such as 192.168.1.10/24. */
  address?: string
  gateway?: string
  dns?: string[]
  ntp?: string[]
}

/** Returns the network settings among all settings of a box, always in the same order. */
export function networkOf({ address = 'dhcp', gateway, dns, ntp }: NetworkSettings): NetworkSettings {
  return { address, ...(gateway && { gateway }), ...(dns && { dns }), ...(ntp && { ntp }) }
}

/**
 * Returns the network settings in a value that another program wrote; null when one of them is invalid. Without this
 * check, a line break in a value would add a line to the network unit.
 */
export function networkSettingsOf(value: unknown): NetworkSettings | null {
  if (typeof value !== 'object' || value === null) return null
  const { address = 'dhcp', gateway, dns, ntp } = value as Record<string, unknown>
  const isGood =
    isAddress(address) &&
    (gateway === undefined || isOneIP(gateway)) &&
    (dns === undefined || isListOf(dns, isOneIP)) &&
    (ntp === undefined || isListOf(ntp, isTimeServer))
  return isGood ? networkOf({ address, gateway, dns, ntp } as NetworkSettings) : null
}

/** The IPv4 address without the length of its prefix; null for DHCP. */
export function fixedAddress({ address = 'dhcp' }: NetworkSettings): string | null {
  return address === 'dhcp' ? null : address.slice(0, address.indexOf('/'))
}

/** Whether a value is `dhcp`, or an IPv4 address with the length of its prefix. */
export function isAddress(value: unknown): value is string {
  if (value === 'dhcp') return true
  const [address = '', bits = ''] = typeof value === 'string' ? value.split('/') : []
  return isIP(address) === 4 && /^\d{1,2}$/.test(bits) && Number(bits) >= 8 && Number(bits) <= 30
}

const isOneIP = (value: unknown) => typeof value === 'string' && isIP(value) !== 0 && !value.includes('%')

/** Whether a value is an address, or a name with a dot. */
export function isTimeServer(value: unknown): boolean {
  return isOneIP(value) || (typeof value === 'string' && /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(value))
}

function isListOf(value: unknown, fits: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.length <= 4 && value.every(fits)
}
