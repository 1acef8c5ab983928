import type { DiskCall } from './recording.ts'

/** A number from 0 to 1, another each time, the same ones for the same seed. */
export type Chance = () => number

/**
 * What becomes of writes that nothing has flushed when the power goes; `kill`: all of them are there, because only the program
 * ended. `scrambled`: as `torn`, and some of the blocks of 4 KiB that were being written hold anything, also beside what was written.
 */
export type Loss = 'kill' | 'all' | 'some' | 'torn' | 'scrambled'

type Written = Extract<DiskCall, { is: 'write' | 'truncate' }>

interface File {
  durable: Buffer
  pending: { number: number; call: Written }[]
}

type Names = Map<string, File>

const sector = 512
const block = 4_096

/** A disk that keeps what was flushed, and of everything else what chance leaves of it. */
export function disk() {
  /** As programs see it, and as it is after a power cut. */
  const seen: Names = new Map()
  const durable: Names = new Map()
  let pendingNames: { number: number; take(names: Names): void }[] = []
  let number = 0

  function named(take: (names: Names) => void): void {
    take(seen)
    pendingNames.push({ number, take })
  }

  function create(name: string, empties: boolean): void {
    const there = seen.get(name)
    const file = there ?? { durable: Buffer.alloc(0), pending: [] }
    if (there && empties) there.pending.push({ number, call: { is: 'truncate', name, size: 0 } })
    if (!there) named((names) => names.set(name, file))
  }

  function sync(name: string, began: number): void {
    if (name === '') {
      for (const each of pendingNames) if (each.number < began) each.take(durable)
      pendingNames = pendingNames.filter((each) => each.number >= began)
      return
    }
    const file = seen.get(name)
    if (!file) return
    for (const { number, call } of file.pending) if (number < began) file.durable = after(file.durable, call)
    file.pending = file.pending.filter(({ number }) => number >= began)
  }

  function call(each: DiskCall): void {
    const { name } = each
    if (each.is === 'create') create(name, each.empties)
    else if (each.is === 'rename') named((names) => moved(names, name, each.to))
    else if (each.is === 'unlink') named((names) => names.delete(name))
    else if (each.is === 'sync') sync(name, each.began)
    else seen.get(name)?.pending.push({ number, call: each })
    number++
  }

  /** The files of the folder when the power goes now. Names are kept in their order, as a file system with a journal does. */
  function afterLoss(loss: Loss, chance: Chance): Map<string, Buffer> {
    const names: Names = new Map(durable)
    const kept =
      loss === 'kill'
        ? pendingNames.length
        : loss === 'all'
          ? 0
          : Math.floor(chance() * (pendingNames.length + 1))
    for (const { take } of pendingNames.slice(0, kept)) take(names)
    return new Map([...names].map(([name, file]) => [name, left(file, loss, chance)]))
  }

  return { call, afterLoss }
}

function moved(names: Names, from: string, to: string): void {
  const file = names.get(from)
  if (!file) return
  names.delete(from)
  names.set(to, file)
}

function left({ durable, pending }: File, loss: Loss, chance: Chance): Buffer {
  let bytes = durable
  for (const { call } of pending) {
    if (loss === 'kill' || (loss !== 'all' && chance() < 0.5)) bytes = after(bytes, call)
    else if (loss === 'torn' || loss === 'scrambled') bytes = torn(call, chance).reduce(after, bytes)
  }
  return loss === 'scrambled' ? scrambled(bytes, pending, chance) : bytes
}

/** Half of the blocks that were being written, with other bytes in every sector. */
function scrambled(bytes: Buffer, pending: File['pending'], chance: Chance): Buffer {
  const found = Buffer.from(bytes)
  const touched = new Set<number>()
  for (const { call } of pending) {
    if (call.is === 'truncate') continue
    const last = Math.floor((call.offset + call.bytes.length - 1) / block)
    for (let at = Math.floor(call.offset / block); at <= last; at++) touched.add(at)
  }
  for (const at of touched) {
    if (chance() < 0.5) continue
    const end = Math.min(found.length, (at + 1) * block)
    for (let each = at * block; each < end; each++) found[each] = Math.floor(chance() * 256)
  }
  return found
}

/** Some of the sectors of a write, each whole. */
function torn(call: Written, chance: Chance): Written[] {
  if (call.is === 'truncate') return []
  const parts: Written[] = []
  const { name, offset, bytes } = call
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + sector - ((offset + at) % sector))
    if (chance() < 0.5) parts.push({ is: 'write', name, offset: offset + at, bytes: bytes.subarray(at, end) })
    at = end
  }
  return parts
}

function after(bytes: Buffer, call: Written): Buffer {
  if (call.is === 'truncate') {
    const cut = Buffer.alloc(call.size)
    bytes.copy(cut)
    return cut
  }
  const end = call.offset + call.bytes.length
  const grown = Buffer.alloc(Math.max(bytes.length, end))
  bytes.copy(grown)
  call.bytes.copy(grown, call.offset)
  return grown
}
