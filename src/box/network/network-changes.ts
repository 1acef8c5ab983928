import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, writeDurably } from '../../host/files/durable.ts'
import { isLoopback } from '../../host/machine/reachable.ts'
import { type NetworkState, networkFiles, readNetworkState } from './network-files.ts'
import { fixedAddress, type NetworkSettings } from './network-settings.ts'

/** A change of the network is not possible. The message has the reason and the remedy. */
export class NetworkRefused extends Error {}

/**
 * The daemon's part of a change of the network: it requests the change and forwards the confirmation. `tryNetwork` is
 * root's part.
 */
export function networkChanges({ data, root = '/' }: { data: string; root?: string }) {
  function stateOfBox(): NetworkState {
    const state = readNetworkState(root)
    if (state) return state
    throw new NetworkRefused(
      'This machine does not run the image of a box, so its own system sets its network. Change it there.',
    )
  }

  /** Requests a change. Returns its id. Throws NetworkRefused. */
  function begin(settings: NetworkSettings): string {
    const isAsked = existsSync(join(data, networkFiles.wanted))
    if (stateOfBox().trial || isAsked)
      throw new NetworkRefused(
        'Another change is on trial. Confirm it, or wait two minutes until it is undone.',
      )
    const id = randomUUID()
    makeFolder(join(data, 'network'))
    writeDurably(join(data, networkFiles.wanted), JSON.stringify({ id, settings }))
    return id
  }

  /** Confirms the change on trial, for a person who has reached the box at the new address. Throws NetworkRefused. */
  function confirm(id: string, reachedAt: string): void {
    const { trial, settings } = stateOfBox()
    if (trial?.id !== id)
      throw new NetworkRefused(
        'This change is not on trial any more. Read the network: it says what is in force.',
      )
    const own = fixedAddress(settings)
    const at = reachedAt.replace(/^::ffff:/, '')
    if (isLoopback(at) || (own !== null && at !== own))
      throw new NetworkRefused(
        `The change is confirmed at the new address only${own ? `: open the page at ${own}` : ', from another machine'}.`,
      )
    writeDurably(join(data, networkFiles.confirmed), id)
  }

  return { read: () => readNetworkState(root), begin, confirm }
}

export type NetworkChanges = ReturnType<typeof networkChanges>
