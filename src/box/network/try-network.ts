import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../host/clock.ts'
import { removeDurably } from '../../host/files/durable.ts'
import {
  type NetworkPlaces,
  type NetworkState,
  type NetworkTrial,
  networkFiles,
  readNetworkState,
  readWanted,
  trialMs,
  writeKept,
  writeNetworkState,
  writeNetworkUnit,
} from './network-files.ts'
import { networkUnit } from './network-unit.ts'

interface Tools {
  clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>
  /** Makes systemd-networkd reload its units. */
  reload(): void
}

const pauseMs = 500

/**
 * Applies the change of the network that the daemon requests, as root. The change is on trial: unless a person confirms
 * it within two minutes, the previous network is restored. A boot restores it too. Returns the result; null without a
 * change. Throws when systemd-networkd does not take it; the next call takes back what an earlier one has left on trial.
 */
export async function tryNetwork(
  { data, kept, root = '/' }: NetworkPlaces,
  { clock, reload }: Tools,
): Promise<'kept' | 'undone' | null> {
  const wanted = readWanted(data)
  const now = readNetworkState(root)
  // A request that came back after a power cut would be tried again, instead of leaving the box at the address before.
  removeDurably(join(data, networkFiles.wanted))
  removeDurably(join(data, networkFiles.confirmed))
  if (now?.trial) return undo(now, now.trial)
  if (!wanted || !now) return null
  const { id, settings } = wanted
  const endsAt = clock.monotonic() + trialMs
  const trial = { id, endsAt: clock.now() + trialMs, before: now.settings }
  writeNetworkUnit(networkUnit(settings), root)
  writeNetworkState({ ...now, settings, trial }, root)
  reload()
  while (clock.monotonic() < endsAt) {
    if (isConfirmed(data, id)) {
      writeKept(kept, { settings, fromFile: now.fromFile })
      writeNetworkState({ ...now, settings, trial: null, last: { id, result: 'kept' } }, root)
      return 'kept'
    }
    await clock.sleep(pauseMs)
  }
  return undo(now, trial)

  function undo(state: NetworkState, { id, before }: NetworkTrial): 'undone' {
    writeNetworkUnit(networkUnit(before), root)
    reload()
    writeNetworkState({ ...state, settings: before, trial: null, last: { id, result: 'undone' } }, root)
    return 'undone'
  }
}

function isConfirmed(data: string, id: string): boolean {
  const file = join(data, networkFiles.confirmed)
  return existsSync(file) && readFileSync(file, 'utf8').trim() === id
}
