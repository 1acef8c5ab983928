import type { DesfireEncoder, DesfireFile, DesfireKey, DesfireMode } from '../../src/devices/capability.ts'
import { demand, isBelow } from '../../src/devices/driving/demand.ts'
import type { encoderTurns } from '../../src/devices/driving/encoder.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { write } from './card-write.ts'
import { fileIn, parameters, settingsIn } from './desfire-wire.ts'
import { prove, type Twn4Card, type Twn4Reader } from './selection.ts'

/** The number of data bytes that the reader certainly accepts in one command. */
const mostBytes = 128
const fileExpected = `a file has a number and ${mostBytes} bytes at most`

/** The DESFire commands of the reader. The reader does all cryptography; it receives the keys in clear. */
export function desfireEncoder(reader: Twn4Reader, inTurn: ReturnType<typeof encoderTurns>): DesfireEncoder {
  return {
    select: (application) => inTurn(() => select(reader, application)),
    authenticate: (number, key) => inTurn(() => authenticate(reader, number, key)),
    settings: () => inTurn(() => reported(reader, 'keySettings', parameters.settings(), settingsIn)),
    file: (number) => inTurn(() => fileSettings(reader, number)),
    read: (file, offset, length, mode) => inTurn(() => read(reader, { file, offset, mode }, length)),
    write: (file, offset, data, mode) => inTurn(() => writeFile(reader, { file, offset, mode }, data)),
    createApplication: (application, settings) =>
      inTurn(async () => {
        demand(isApplication(application) && application > 0, 'an application is 1..FFFFFF')
        const requestBytes = parameters.createApplication(application, settings)
        await order(reader, 'createApplication', requestBytes, application)
      }),
    createFile: (number, file) => inTurn(() => createFile(reader, number, file)),
    changeKey: (...change) => inTurn(() => changeKey(reader, ...change)),
    format: () => inTurn(() => order(reader, 'formatCard', parameters.format(), 0)),
  }
}

/**
 * A card that was lifted and put back refuses too, so it is asked twice: without the application it would count as a
 * card without a key.
 */
async function select(reader: Twn4Reader, application: number): Promise<boolean> {
  const card = reader.cards.current()
  demand(isApplication(application), 'an application is 0..FFFFFF')
  const show = async () =>
    (await reader.ask('selectApplication', ...parameters.select(application))) !== false
  const isThere = await reader.cards.accepts(card, show, () => reselect(reader, card))
  if (isThere) card.proof = { to: 'application', application, key: null }
  return isThere
}

async function authenticate(reader: Twn4Reader, number: number, key: DesfireKey): Promise<boolean> {
  const card = reader.cards.current()
  demand(isKey(number) && key.bytes.length === 16, 'a key is 0..13, of 16 bytes')
  const own = { number, key: { ...key, bytes: Uint8Array.from(key.bytes) } }
  const show = async () =>
    (await reader.ask('authenticate', ...parameters.authenticate(number, own.key))) !== false
  const isAccepted = await reader.cards.accepts(card, show, () => reselect(reader, card))
  if (isAccepted) card.proof = { to: 'application', application: applicationOf(card), key: own }
  return isAccepted
}

async function fileSettings(reader: Twn4Reader, number: number): Promise<DesfireFile | null> {
  demand(isFile(number), 'a file is 0..31')
  return reported(reader, 'fileSettings', parameters.file(number), fileIn)
}

/** A place in a file, and the protection of the data on the air. */
interface Place {
  file: number
  offset: number
  mode: DesfireMode
}

async function read(reader: Twn4Reader, { file, offset, mode }: Place, length: number): Promise<Uint8Array> {
  const card = reader.cards.current()
  demand(isFile(file) && isPlace(offset, length), fileExpected)
  const data = await reader.ask('readFile', ...parameters.read(file, offset, length, mode))
  if (data && data.length === length) return Uint8Array.from(data)
  await reselect(reader, card)
  throw new DeviceFault('card-incompatible', `readFile: the card refuses the read of file ${file}`)
}

async function writeFile(reader: Twn4Reader, { file, offset, mode }: Place, data: Uint8Array): Promise<void> {
  demand(isFile(file) && isPlace(offset, data.length), fileExpected)
  const requestBytes = parameters.write(file, offset, data, mode)
  const written = { what: 'file', at: file, offset, data: Uint8Array.from(data), mode } as const
  await write(reader, 'writeFile', requestBytes, written)
}

async function createFile(reader: Twn4Reader, number: number, file: DesfireFile): Promise<void> {
  demand(isFile(number) && file.rights.every((right) => right >= 0 && right < 16), 'a file is 0..31')
  await order(reader, 'createFile', parameters.createFile(number, file), number)
}

async function changeKey(
  reader: Twn4Reader,
  ...[number, from, to, settings]: Parameters<DesfireEncoder['changeKey']>
): Promise<void> {
  demand(isKey(number) && from.length === 16 && to.bytes.length === 16, 'a key is 0..13, of 16 bytes')
  await order(reader, 'changeKey', parameters.changeKey(number, from, to, settings), number)
  const { proof } = reader.cards.current()
  if (proof?.to === 'application' && proof.key?.number === number) proof.key = null
}

/** What the card reports; null when it refuses. */
async function reported<Answer>(
  reader: Twn4Reader,
  name: 'keySettings' | 'fileSettings',
  requestBytes: number[],
  decode: (answer: Buffer) => Answer,
): Promise<Answer | null> {
  const card = reader.cards.current()
  const answer = await reader.ask(name, ...requestBytes)
  if (answer) return decode(answer)
  await reselect(reader, card)
  return null
}

/** A change that cannot be read back. */
function order(
  reader: Twn4Reader,
  name: 'createApplication' | 'createFile' | 'changeKey' | 'formatCard',
  requestBytes: number[],
  at: number,
): Promise<void> {
  return write(reader, name, requestBytes, { what: 'order', at })
}

/** Selects the card and its application again, because a refusal ends both selections. */
async function reselect({ ask, cards }: Twn4Reader, card: Twn4Card): Promise<void> {
  const application = applicationOf(card)
  await cards.expectBack(card)
  card.proof = { to: 'application', application, key: null }
  if (application === 0 || (await prove(ask, card.proof, card.chip))) return
  await cards.expectBack(card)
  card.proof = undefined
}

function applicationOf({ proof }: Twn4Card): number {
  return proof?.to === 'application' ? proof.application : 0
}

function isApplication(value: number): boolean {
  return isBelow(0x100_0000, value)
}

function isFile(value: number): boolean {
  return isBelow(32, value)
}

function isKey(value: number): boolean {
  return isBelow(14, value)
}

function isPlace(offset: number, length: number): boolean {
  return isBelow(0xffff, offset) && length > 0 && length <= mostBytes
}
