import { translated } from '../../lib/language/language.ts'

/** The English texts of the network of a box. */
const en = {
  notAnImage: 'This machine does not run the image of a box. Its own system sets the network.',
  why: 'A change is on trial for two minutes. Unless you keep it at the new address, the box takes it back, so that no mistake locks you out.',
  address: 'Address',
  addressHint: 'dhcp, or an address such as 192.168.1.10/24',
  gateway: 'Gateway',
  gatewayHint: 'Empty without one: the box then reaches its own network only.',
  dns: 'Name servers',
  dnsHint: 'Addresses, separated by spaces. With dhcp the network gives them.',
  change: 'Try this network',
  underWay: 'The network is being changed. If this page stays silent, open the new address.',
  openThere: 'Open the page at the new address and keep the network there:',
  lookAtScreen: 'The box gets its address from the network now. Its screen shows it: open the page there.',
  keep: 'Keep this network',
  onTrial: (time: string) => `A new network is on trial until ${time}.`,
  results: {
    kept: 'The new network is kept.',
    undone: 'The change was undone, because it was not kept within two minutes.',
  },
}

export type NetworkTexts = typeof en

/** The texts of the network of a box, in the language of the page. */
export const t = translated(en, (language) => import(`./network-texts/${language}.ts`))
