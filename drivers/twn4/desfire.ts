import type { DesfireEncoder } from '../../src/devices/capability.ts'
import { demand, isBelow } from '../../src/devices/driving/demand.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Acting } from './acting.ts'
import { fileIn, parameters, settingsIn } from './desfire-wire.ts'
import type { Link } from './link.ts'
import { prove, type Selected, type Selection } from './selection.ts'

/** So much goes through the reader at once for certain. */
const mostBytes = 128

/** What the reader does with a DESFire. The reader does all cryptography; keys go to it in clear. */
export function desfireEncoder(
  ask: Link['ask'],
  cards: Selection,
  { inTurn, write }: Acting,
): DesfireEncoder {
  return {
    select: (application) => inTurn(() => select(application)),
    authenticate: (number, key) => inTurn(() => authenticate(number, key)),
    settings: () => inTurn(() => told(() => ask('keySettings', ...parameters.settings()), settingsIn)),
    file: (number) =>
      inTurn(() => {
        demand(isFile(number), 'a file is 0..31')
        return told(() => ask('fileSettings', ...parameters.file(number)), fileIn)
      }),
    read: (file, offset, length, mode) => inTurn(() => read(file, offset, length, mode)),
    write: (file, offset, data, mode) =>
      inTurn(() => {
        demand(
          isFile(file) && isPlace(offset, data.length),
          `a file has a number and ${mostBytes} bytes at most`,
        )
        const asked = parameters.write(file, offset, data, mode)
        return write('writeFile', asked, {
          what: 'file',
          at: file,
          offset,
          data: Uint8Array.from(data),
          mode,
        })
      }),
    createApplication: (application, settings) =>
      inTurn(() => {
        demand(isApplication(application) && application > 0, 'an application is 1..FFFFFF')
        return order('createApplication', parameters.createApplication(application, settings), application)
      }),
    createFile: (number, file) =>
      inTurn(() => {
        demand(isFile(number) && file.rights.every((right) => right >= 0 && right < 16), 'a file is 0..31')
        return order('createFile', parameters.createFile(number, file), number)
      }),
    changeKey: (number, from, to, settings) =>
      inTurn(async () => {
        demand(isKey(number) && from.length === 16 && to.bytes.length === 16, 'a key is 0..13, of 16 bytes')
        await order('changeKey', parameters.changeKey(number, from, to, settings), number)
        const { proof } = cards.current()
        if (proof?.to === 'application' && proof.key?.number === number) proof.key = null
      }),
    format: () => inTurn(() => order('formatCard', parameters.format(), 0)),
  }

  async function select(application: number): Promise<boolean> {
    const at = cards.current()
    demand(isApplication(application), 'an application is 0..FFFFFF')
    if ((await ask('selectApplication', ...parameters.select(application))) !== false) {
      at.proof = { to: 'application', application, key: null }
      return true
    }
    await stay(at)
    return false
  }

  /** A card that was lifted and put back refuses as well. What is refused right after a search is the key. */
  async function authenticate(
    ...[number, key]: Parameters<DesfireEncoder['authenticate']>
  ): Promise<boolean> {
    const at = cards.current()
    demand(isKey(number) && key.bytes.length === 16, 'a key is 0..13, of 16 bytes')
    const own = { number, key: { ...key, bytes: Uint8Array.from(key.bytes) } }
    for (let left = 2; left > 0; left--) {
      if ((await ask('authenticate', ...parameters.authenticate(number, own.key))) !== false) {
        const application = at.proof?.to === 'application' ? at.proof.application : 0
        at.proof = { to: 'application', application, key: own }
        return true
      }
      await stay(at)
    }
    return false
  }

  async function read(
    ...[file, offset, length, mode]: Parameters<DesfireEncoder['read']>
  ): Promise<Uint8Array> {
    const at = cards.current()
    demand(isFile(file) && isPlace(offset, length), `a file has a number and ${mostBytes} bytes at most`)
    const data = await ask('readFile', ...parameters.read(file, offset, length, mode))
    if (data && data.length === length) return Uint8Array.from(data)
    await stay(at)
    throw new DeviceFault('card-incompatible', `readFile: the card refuses to be read in file ${file}`)
  }

  /** Null for a "no". */
  async function told<Answer>(asked: () => Promise<Buffer | false>, read: (answer: Buffer) => Answer) {
    const at = cards.current()
    const answer = await asked()
    if (answer) return read(answer)
    await stay(at)
    return null
  }

  function order(
    name: 'createApplication' | 'createFile' | 'changeKey' | 'formatCard',
    asked: number[],
    at: number,
  ) {
    return write(name, asked, { what: 'order', at })
  }

  /** After a "no" the card is selected anew, and its application. */
  async function stay(at: Selected): Promise<void> {
    const application = at.proof?.to === 'application' ? at.proof.application : 0
    await cards.expectBack(at)
    at.proof = { to: 'application', application, key: null }
    if (application === 0 || (await prove(ask, at.proof, at.chip))) return
    await cards.expectBack(at)
    at.proof = undefined
  }
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
