import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { drivers } from '../../composition/drivers.ts'
import { BrokenRecording, type CallOutcome, type RecordingEntry, readEntries } from '../../recorder/entry.ts'
import { type OpenEntry, type ReplayedLine, replayLine } from '../../recorder/replay.ts'
import type { ReplayedCall } from '../../recorder/replayed-call.ts'
import { CommandFailed } from '../exit-codes.ts'

export interface ReplayOptions {
  device?: string
}

/**
 * Replays a recording and prints one line per call. Returns true when every driver produces the recorded result. Throws
 * CommandFailed `data` or `missing`.
 */
export async function replay(file: string, { device }: ReplayOptions): Promise<boolean> {
  const entries = await recordingIn(file)
  const openings = entries.filter((entry) => entry.kind === 'open')
  const wanted = openings.filter((open) => open.joins === undefined && isNamed(open, device))
  if (wanted.length === 0) {
    const names = [...new Set(openings.map(({ bay }) => bay))].join(', ') || 'none'
    throw new CommandFailed('missing', `The recording has no such device; there is: ${names}.`)
  }
  const tally = { calls: 0, different: 0, skipped: 0 }
  for (const open of wanted) {
    console.log(`${open.bay}: ${open.model} at ${open.path}, opened ${instant(open.at)}`)
    const why = unfit(open)
    if (why) {
      console.log(`  not replayed: ${why}`)
      continue
    }
    const line = await lived(open, entries)
    for (const call of line.calls) for (const text of linesOf(call)) console.log(text)
    if (line.skipped > 0)
      console.log(`  ${line.skipped} calls not replayed: earlier entries that they need are overwritten`)
    tally.calls += line.calls.length
    tally.skipped += line.skipped
    tally.different += line.calls.filter(({ agrees }) => !agrees).length
  }
  const { calls, different } = tally
  console.log(
    `${calls} calls replayed, ${different === 0 ? 'all with the recorded outcome' : `${different} with another outcome`}.`,
  )
  return different === 0
}

/** Reads a file, or all segments in a folder. */
async function recordingIn(path: string): Promise<RecordingEntry[]> {
  try {
    const isFolder = (await stat(path)).isDirectory()
    const files = isFolder
      ? (await readdir(path))
          .filter((name) => name.endsWith('.jsonl'))
          .sort()
          .map((name) => join(path, name))
      : [path]
    const segments = await Promise.all(files.map((each) => readFile(each, 'utf8')))
    return segments.length === 1
      ? readEntries(segments[0]!)
      : readEntries(segments.map((text) => text.slice(0, text.lastIndexOf('\n') + 1)).join(''))
  } catch (error) {
    if (error instanceof BrokenRecording) throw new CommandFailed('data', `${path}: ${error.message}.`)
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandFailed('missing', `There is no file ${path}.`)
    if (code === 'EACCES') throw new CommandFailed('permission', message)
    throw error
  }
}

function isNamed({ bay, driver, model, path }: OpenEntry, name: string | undefined): boolean {
  return name === undefined || [bay, driver, model, path].includes(name)
}

function driverOf({ driver, capability }: OpenEntry) {
  return drivers.find((each) => each.name === driver && each.capability === capability) ?? null
}

function unfit(open: OpenEntry): string | null {
  if (open.capability === 'lock-system') return 'requests to a lock system are not recorded, only the traffic'
  const driver = driverOf(open)
  if (!driver) return 'this build has no such driver'
  return open.isMasked && driver.mask
    ? null
    : 'its driver does not say which bytes are secret, so only sizes are recorded'
}

function lived(open: OpenEntry, entries: readonly RecordingEntry[]): Promise<ReplayedLine> {
  const joining = new Set(
    entries.filter((entry) => entry.kind === 'open' && entry.joins === open.line).map(({ line }) => line),
  )
  const its = entries.filter(({ line }) => line === open.line || joining.has(line))
  return replayLine(open, its, driverOf)
}

function linesOf({ call, recorded, replayed, sentSame, agrees }: ReplayedCall): string[] {
  const { at, request = '-', method, args } = call
  const asked = `${method}(${args.map((each) => shown(each)).join(', ')})`
  const lines = [
    `${agrees ? '  ' : '! '}${instant(at)} ${request} ${asked} → ${outcomeText(recorded)} | ${outcomeText(replayed)}`,
  ]
  if (!agrees && !sentSame) lines.push('    the bytes sent to the device differ from the recording')
  return lines
}

function outcomeText(outcome: CallOutcome | null): string {
  if (outcome === null) return 'no end'
  if ('value' in outcome) return shown(outcome.value)
  const { code, outcomeUnknown, vendorCode } = outcome.fault
  return [code, vendorCode, outcomeUnknown ? 'outcome unknown' : ''].filter(Boolean).join(', ')
}

const longest = 60

function shown(value: unknown): string {
  const text = value === null ? '-' : JSON.stringify(value).replaceAll(/\{"hex":"([0-9a-f]*)"\}/g, '$1')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
