import { translated } from '../../lib/language/language.ts'

/** The English texts of this screen. */
const en = {
  title: 'Demo lobby',
  intro:
    'The devices of this hotel are simulated. Here you play the guest and the technician: open the kiosk or a stay in another window, and see what happens.',
  openKiosk: 'Open the kiosk',
  dispenser: 'Card dispenser',
  encoder: 'Encoder',
  terminal: 'Payment terminal',
  guestWill: {
    pay: 'The next guest pays',
    refuse: 'The next card is refused',
    wait: 'The next guest walks away',
  },
  payments: (count: number) => `Payments: ${count}`,
  silentPayment: 'Do not answer the next payment',
  hand: 'Cards in the guest’s hand',
  slot: {
    none: 'No card in the slot',
    gate: 'A card waits in the slot',
    encoder: 'A card is inside, at the encoder',
    chip: 'A card is inside',
  },
  stacker: (count: number) => `Stacker: ${count}`,
  bin: (count: number, capacity: number) => `Bin: ${count} of ${capacity}`,
  accepting: 'takes a card back',
  unplugged: 'Cable pulled',
  plugged: 'Cable plugged in',
  lamp: { off: 'Lamp off', green: 'Lamp green', red: 'Lamp red', yellow: 'Lamp yellow' },
  beeps: (count: number) => `Beeps: ${count}`,
  takesByItself: 'Guests take cards by themselves',
  does: {
    'take-card': 'Take the card',
    'push-back': 'Push the card back in',
    'leave-cards': 'Leave cards in the slot',
    'take-cards': 'Take cards after a moment',
    'return-card': 'Return this card',
    'empty-stacker': 'Take all blank cards out',
    'fill-stacker': 'Fill the stacker',
    'empty-bin': 'Empty the bin',
    unplug: 'Pull the cable',
    plug: 'Plug the cable in',
    'lay-card': 'Lay it on the encoder',
    'lay-blank-card': 'Lay a blank card on it',
    'take-away-card': 'Take the card off it',
    'pay-next': 'Next guest pays',
    'refuse-next': 'Next card is refused',
    'leave-next': 'Next guest walks away',
  },
  jam: 'Jam at the next card',
  silence: 'Do not answer the next write',
  clear: 'Behave well again',
  waiting: (count: number) => `Troubles that wait: ${count}`,
  laid: (uid: string) => `Card ${uid} lies on it`,
  noCards: 'No card yet. Make one at the kiosk or on the page of a guest.',
  card: (uid: string) => `Card ${uid}`,
  madeFor: (room: string) => `made for ${room}`,
  nobodys: 'made for no room',
  door: 'Door',
  hold: 'Hold it to the door',
  opens: (door: string) => `Door ${door} opens.`,
  shut: (door: string) => `Door ${door} stays shut.`,
  onlyDemo: 'This property uses no simulated devices.',
}

export type LobbyTexts = typeof en

/** The texts of this screen, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
