import type {
  CardEncoder,
  DesfireEncoder,
  DesfireFile,
  DesfireKey,
  DesfireSettings,
  FoundCard,
} from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { derived } from './card-keys.ts'
import type { Placement } from './placement.ts'
import { recordBytes } from './record.ts'
import type { Hkr1Settings } from './settings.ts'

/** Key 0 is the master of the application, key 1 reads the record, key 2 writes it. */
const [master, reads, writes] = [0, 1, 2] as const
type KeyNumber = typeof master | typeof reads | typeof writes
type Keys = Record<KeyNumber | 'card', DesfireKey>

/** The master key may be changed, and only it may list, create and change keys; no operation is free. */
const governed: DesfireSettings = { rights: 0x09, keys: 3, type: 'AES' }
const fileNumber = 1
/** No key both reads and writes, and only the master may change these rights. */
const recordFile: DesfireFile = {
  mode: 'enciphered',
  rights: [reads, writes, 0xf, master],
  size: recordBytes,
}

/** A card that is configured to show a random serial number shows 4 bytes. */
const serialBytes = 7
const newKey: DesfireKey = { type: 'AES', bytes: new Uint8Array(16) }
const newCardKey: DesfireKey = { type: '3DES', bytes: new Uint8Array(16) }

/** What was found about the application when the card was entered. */
type Found = 'nothing' | 'application' | 'file' | 'sealed'

/**
 * The record file in an application of the appliance. A card without that application, or with one whose creation was
 * interrupted, is `unsealed` until `prepare` has completed it. Null when the card does not permit its creation, when
 * another owner uses the application number, and when the card does not show its true serial number.
 */
export async function placeOnDesfire(
  { desfire }: CardEncoder,
  { uid }: FoundCard,
  settings: Hkr1Settings,
): Promise<Placement | null> {
  if (!desfire)
    throw new DeviceFault('card-incompatible', 'The encoder cannot write a card of the kind Desfire')
  // A card may show a random number each time. A key derived from such a number would fit no card at a door.
  if (uid.length !== serialBytes) return null
  const { application, ownCardKey } = settings
  const keys = desfireKeys(settings, uid)
  const found = await enter(desfire, application, keys)
  return found && placement(desfire, { application, keys, found, ownCardKey })
}

/** The three keys of this card's application, and the card's own master key if it receives one. */
function desfireKeys(settings: Pick<Hkr1Settings, 'master' | 'site'>, uid: Uint8Array): Keys {
  const key = (name: KeyNumber | 'C'): DesfireKey => ({
    type: 'AES',
    bytes: derived(`HKR1-DF${name}`, settings, uid, 16),
  })
  return { [master]: key(master), [reads]: key(reads), [writes]: key(writes), card: key('C') }
}

/** An application that still has the factory master key is ours only if its settings equal those that we create. */
async function enter(desfire: DesfireEncoder, application: number, keys: Keys): Promise<Found | null> {
  if (!(await desfire.select(application))) return (await mayCreate(desfire, keys)) ? 'nothing' : null
  if (await desfire.authenticate(master, keys[master])) return 'sealed'
  if (!(await desfire.authenticate(master, newKey))) return null
  const { rights, keys: count, type } = (await desfire.settings()) ?? {}
  if (rights !== governed.rights || count !== governed.keys || type !== governed.type) return null
  const file = await desfire.file(fileNumber)
  if (file) return isRecordFile(file) ? 'file' : null
  return (await desfire.authenticate(master, newKey)) ? 'application' : null
}

/**
 * Whether an application can be created on the card, after its selection and, if required, a login with a known key.
 */
async function mayCreate(desfire: DesfireEncoder, { card }: Keys): Promise<boolean> {
  if (!(await desfire.select(0))) return false
  const isFree = ((await desfire.settings())?.rights ?? 0) & 0b0100
  if (isFree !== 0 || (await desfire.authenticate(master, newCardKey))) return true
  return desfire.authenticate(master, card)
}

/** Replaces the card's factory master key with a derived one; leaves any other key as it is. */
async function closeCard(desfire: DesfireEncoder, { card }: Keys): Promise<void> {
  must(await desfire.select(0), 'The card no longer answers to a selection')
  if (!(await desfire.authenticate(master, newCardKey))) return
  const settings = await desfire.settings()
  must(settings !== null, 'The card does not report its settings')
  await desfire.changeKey(master, newCardKey.bytes, card, settings!)
  must(
    await desfire.authenticate(master, card),
    'The card does not accept the master key that was just written',
  )
}

/** The application as it was found, and its target state. */
interface Entered {
  application: number
  keys: Keys
  found: Found
  ownCardKey: boolean
}

function placement(desfire: DesfireEncoder, entered: Entered): Placement {
  const { keys, found } = entered
  let authenticated: KeyNumber | null = null

  return {
    guard: found === 'sealed' ? 'sealed' : 'unsealed',
    cellBytes: 16,
    async read() {
      if (found === 'nothing' || found === 'application') return new Uint8Array(recordBytes)
      await become(reads)
      return desfire.read(fileNumber, 0, recordBytes, recordFile.mode)
    },
    async prepare() {
      if (found !== 'sealed') await personalise(desfire, entered)
      authenticated = null
    },
    async writeCell(index, data) {
      await become(writes)
      await desfire.write(fileNumber, index * 16, data, recordFile.mode)
    },
    async seal() {},
  }

  async function become(number: KeyNumber): Promise<void> {
    if (authenticated === number) return
    authenticated = null
    const isIn =
      (await desfire.authenticate(number, keys[number])) ||
      (found !== 'sealed' && (await desfire.authenticate(number, newKey)))
    if (!isIn) throw new DeviceFault('card-incompatible', `The card refuses key ${number} of our application`)
    authenticated = number
  }
}

/**
 * Completes the application, from any point of an interruption. The master key is changed last: while it is the factory
 * key, all earlier steps can be repeated.
 */
async function personalise(
  desfire: DesfireEncoder,
  { application, keys, found, ownCardKey }: Entered,
): Promise<void> {
  if (ownCardKey) await closeCard(desfire, keys)
  if (found === 'nothing') {
    must(await mayCreate(desfire, keys), 'The card no longer allows new applications')
    await desfire.createApplication(application, governed)
  }
  must(await desfire.select(application), 'The card does not have the application that was just created')
  must(await desfire.authenticate(master, newKey), 'The card refuses the key of a new application')
  if (found !== 'file') await desfire.createFile(fileNumber, recordFile)
  for (const number of [reads, writes] as const) {
    if (await desfire.authenticate(number, keys[number])) continue
    must(await desfire.authenticate(master, newKey), 'The card refuses the key of a new application')
    await desfire.changeKey(number, newKey.bytes, keys[number], governed)
  }
  must(await desfire.authenticate(master, newKey), 'The card refuses the key of a new application')
  await desfire.changeKey(master, newKey.bytes, keys[master], governed)
  must(
    await desfire.authenticate(master, keys[master]),
    'The card does not accept the key that was just written',
  )
}

function must(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new DeviceFault('card-verify-failed', otherwise)
}

function isRecordFile({ mode, rights, size }: DesfireFile): boolean {
  return (
    mode === recordFile.mode &&
    size === recordFile.size &&
    rights.every((right, index) => right === recordFile.rights[index])
  )
}
