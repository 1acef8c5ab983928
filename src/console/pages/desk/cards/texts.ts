import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of a card that is being made. */
const en = {
  making: (place: string) => `Card at ${place}`,
  makingFor: (place: string, room: string) => `Card at ${place}, Room ${room}`,
  cardAt: 'Card at',
  notReady: 'not ready',
  noEncoder: 'There is no encoder or dispenser.',
  makingPin: (place: string) => `PIN from ${place}`,
  place: 'Put a card on the encoder',
  fed: 'Card fed',
  written: 'Written',
  compared: 'Read back and compared',
  take: 'Take the card',
  waiting: 'The box does not answer. The page asks again for this same card. Do not make another one.',
  inHand: 'In hand',
  inHandWhy: 'The card was read back, is correct, and is given out.',
  machine: 'What the machine says',
  help: {
    'dispenser-jam': 'Open the machine, take the card out and close it. Then make the card again.',
    'dispenser-empty': 'Fill in cards, and say so at Devices. Then make the card again.',
    'dispenser-bin-full': 'Empty the bin, and say so at Devices. Then make the card again.',
    'dispenser-offline': 'Check power and cable of the machine. It connects by itself.',
    'encoder-offline': 'Check the cable of the encoder. It connects by itself.',
  } as Record<string, string>,
  healed: (place: string) => `${place} works again. Make the card again.`,
  helpElse: 'Look at Devices for what to do.',
  pin: 'PIN',
  notMade: 'Not made',
  notKnown: 'Not known',
  notKnownWhy:
    'Look before you repeat: the card may be good. The box can make sure. It makes no second card while the first one is good.',
  makeSure: 'Make sure',
  again: 'Make it again',
  override: 'Make the card all the same',
  overrideTitle: (room: string) => `Make a card of room ${room} all the same?`,
  overrideWhy:
    'As soon as this card has opened the door, cards of another guest may open nothing. Make it only when you know why the room is right.',
  overrideReason: 'Reason',
  overrideHint: 'At least three letters. It is kept in the record with your name: write no name of a guest.',
  skip: (room: string) => `Go on with the card of room ${room}`,
  layNext: 'Take the card from the encoder, and put the next one there.',
  nextCard: (room: string) => `Make the card of room ${room}`,
  done: 'Done',
  next: (count: number) =>
    plural(count, { one: '1 more card follows.', other: `${count} more cards follow.` }),
  reasons: {
    captured: 'Nobody took the card. The machine has it again, and its key is blocked.',
    left: 'The card was left in the machine. Its key is blocked.',
    failed: 'The card failed and is not given out.',
  } as Record<string, string>,
  noReason: 'The card was not given out.',
  elsewhere: (name: string) => `Card for ${name}`,
  show: 'Show',
}

export type CardTexts = typeof en

/** The texts of a card that is being made, in the language of the page. */
export const cardTexts = translated(en, (language) => import(`./texts/${language}.ts`))
