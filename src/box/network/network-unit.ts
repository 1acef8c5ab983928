import type { NetworkSettings } from './network-settings.ts'

/** Returns the file of systemd-networkd for the wired network of the box. */
export function networkUnit({ address = 'dhcp', gateway, dns = [], ntp = [] }: NetworkSettings): string {
  const isDhcp = address === 'dhcp'
  return [
    '[Match]',
    'Type=ether',
    '[Network]',
    ...(isDhcp ? ['DHCP=yes'] : [`Address=${address}`, ...(gateway ? [`Gateway=${gateway}`] : [])]),
    ...dns.map((each) => `DNS=${each}`),
    ...ntp.map((each) => `NTP=${each}`),
    // A laptop that is connected directly reaches the box, whatever the box's address is.
    'LinkLocalAddressing=yes',
    'MulticastDNS=yes',
    '[DHCPv4]',
    'ClientIdentifier=mac',
    '',
  ].join('\n')
}
