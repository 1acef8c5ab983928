import type { Clock } from '../../../host/clock.ts'
import { liveSocket } from '../http/live-socket.ts'
import type { deviceCommands } from './device-commands.ts'

interface LiveEventOptions {
  /** The base address of the WebSocket. */
  address: string
  clientToken: string
  accessToken: string
  clock: Clock
  commands: Pick<ReturnType<typeof deviceCommands>, 'ordered' | 'catchUp'>
  /** Rooms have changed. */
  roomsChanged(): void
  /** Something has changed: poll for it. */
  poke(): void
}

/**
 * Listens to the WebSocket of Mews until the returned function is called. What happened while it was not open is not sent
 * afterwards, so each connection begins with a poll.
 */
export function liveEvents(options: LiveEventOptions): () => void {
  const { address, clientToken, accessToken, clock, commands, roomsChanged, poke } = options
  return liveSocket({
    url: `${address.replace(/\/+$/, '')}/ws/connector`,
    // Mews accepts no blank beside the equals signs.
    headers: { Cookie: `ClientToken=${clientToken}; AccessToken=${accessToken}` },
    clock,
    opened() {
      poke()
      void commands.catchUp()
    },
    heard(text) {
      for (const { Type, Id } of eventsIn(text)) {
        if (Type === 'DeviceCommand') void commands.ordered(String(Id))
        if (Type === 'Resource') roomsChanged()
        if (Type === 'Resource' || Type === 'Reservation') poke()
      }
    },
    // Everything is polled for as well.
    lost() {},
  })
}

/** The events of a message; none in a message that is not understood. */
function eventsIn(text: string): { Type?: unknown; Id?: unknown }[] {
  try {
    const said = JSON.parse(text) as { Events?: unknown } | null
    return Array.isArray(said?.Events) ? said.Events.filter((each) => typeof each === 'object' && each) : []
  } catch {
    return []
  }
}
