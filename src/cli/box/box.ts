import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { NetworkPlaces } from '../../box/network/network-files.ts'
import { tryNetwork } from '../../box/network/try-network.ts'
import { statusPage } from '../../box/page.ts'
import { type BoxPlaces, prepare, verdictsFile } from '../../box/prepare.ts'
import { type ScreenFacts, screenLines } from '../../box/screen.ts'
import type { Verdict } from '../../box/settings-file.ts'
import { readPairingCode, readState } from '../../box/state.ts'
import { supportEndsAt } from '../../box/support/support-files.ts'
import { inGroups } from '../../certificate/fingerprint.ts'
import { systemClock } from '../../host/clock.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { reachableAddresses } from '../../host/machine/reachable.ts'
import { CommandFailed } from '../exit-codes.ts'

/** Prepares a start, and prints what came of each line of the file. */
export function prepareBox(places: BoxPlaces): void {
  const { name, verdicts } = prepare(places)
  console.log(`This box is ${name}.`)
  for (const { line, text, says } of verdicts) console.log(`nightporter.txt, line ${line}: ${text}: ${says}`)
}

/** Carries out a change of the network, and prints how it ended. */
export async function changeNetwork(places: NetworkPlaces): Promise<void> {
  const reload = () => void execFileSync('networkctl', ['reload'], { stdio: 'inherit' })
  const result = await tryNetwork(places, { clock: systemClock, reload })
  console.log(
    result === null ? 'No change of the network was asked for.' : `The change of the network was ${result}.`,
  )
}

/** The first file descriptor that systemd passes. */
const passed = 3

/** Serves the page until it is idle; systemd starts it again with the next request. */
export async function servePage(folder: string): Promise<void> {
  if (process.env.LISTEN_FDS === undefined)
    throw new CommandFailed('unreachable', 'This command is started by the socket unit of the box.')
  const server = statusPage({ clock: systemClock, folder })
  await new Promise((resolve, reject) => {
    server.once('close', resolve).once('error', reject).listen({ fd: passed })
  })
}

const lookEveryMs = 2_000
/** A serial line may hold the text up. */
const showsWithinMs = 10_000

/** Writes the screen to the terminals whenever it changes. */
export async function showScreen(
  terminals: readonly string[],
  { state: folder, data }: { state: string; data: string },
): Promise<void> {
  if (terminals.length === 0) {
    console.log(screenLines(factsOf(folder, data)).join('\n'))
    return
  }
  for (let shown = ''; ; await systemClock.sleep(lookEveryMs)) {
    const text = screenLines(factsOf(folder, data)).join('\r\n')
    if (text === shown) continue
    shown = text
    // Clears the screen, and what has scrolled off it; hides the cursor; a picture of the kernel's own would darken it after ten minutes.
    for (const terminal of terminals)
      show(terminal, `\x1b[2J\x1b[3J\x1b[H\x1b[?25l\x1b[9;0]\x1b[14;0]${text}\r\n`)
  }
}

/**
 * Writes to a terminal. One that is not there, such as a serial line that the board does not have, stops nothing. A line
 * that the daemon has locked belongs to a device, which would take the text for a command.
 */
function show(terminal: string, input: string): void {
  if (!existsSync(terminal)) return
  spawnSync('flock', ['--nonblock', terminal, 'sh', '-c', 'cat >"$0"', terminal], {
    input,
    timeout: showsWithinMs,
  })
}

function factsOf(folder: string, data: string): ScreenFacts {
  const now = systemClock.now()
  const state = readState(folder, now)
  return {
    now,
    state,
    name: hostname(),
    ...reachableAddresses(state?.host ?? '::'),
    fingerprint: fingerprintIn(join(data, dataFiles.authority)),
    pairingCode: readPairingCode(folder),
    verdicts: verdictsIn(verdictsFile),
    supportEndsAt: supportEndsAt(folder),
  }
}

function fingerprintIn(file: string): string | null {
  try {
    return inGroups(new X509Certificate(readFileSync(file)).fingerprint256)
  } catch {
    return null
  }
}

function verdictsIn(file: string): Verdict[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Verdict[]) : []
}
