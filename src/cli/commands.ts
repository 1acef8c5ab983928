import { InvalidArgumentError, Option } from 'commander'
import { sampleUnits } from '../simulators/cloudevents/units.ts'
import { atAppliance, clientOf, type Where } from './at-appliance.ts'
import type { CheckInOptions } from './check-in/check-in.ts'
import { Command } from './command.ts'
import type { PresentOptions } from './door/door.ts'
import { exits } from './exit-codes.ts'
import type { ImportOptions } from './import/import.ts'
import { another } from './repeated.ts'
import type { ServeOptions } from './serve.ts'
import { misbehaveCommand } from './simulate/misbehave-command.ts'
import type { SimulateOptions } from './simulate/simulate.ts'

/** `nightporter serve`. `entry` is the program that its threads run. */
export function serveCommand(entry: URL): Command {
  return new Command('serve')
    .description('Runs the appliance. An empty data folder gets the sample property, with simulated devices.')
    .option(
      '--listen <host:port>',
      'address and port to listen on; port 0 takes a free one (default: 127.0.0.1:8080)',
    )
    .option('--data <dir>', 'the folder of the database and its key (default: ./data)')
    .option('--empty', 'begins with an empty property instead of the sample property')
    .option(
      '--time-zone <zone>',
      'IANA time zone of a new property, such as Europe/Lisbon (default: that of this machine, to be confirmed)',
    )
    .option(
      '--country <code>',
      'country of a new property, such as PT (default: that of the time zone, to be confirmed)',
    )
    .option(
      '--found-anew',
      'if the database or its key is missing, renames the remaining file and begins a new property',
    )
    .option(
      '--tls-cert <file>',
      'certificate chain, PEM (default: one that the box makes itself, when other machines can connect)',
    )
    .option('--tls-key <file>', 'private key, PEM')
    .addOption(
      new Option(
        '--log-level <level>',
        'least severe level that is logged, on standard error (default: warn)',
      ).choices(['debug', 'info', 'warn', 'error', 'silent']),
    )
    .exits({
      done: 'stopped by SIGTERM or SIGINT',
      data: 'the database or its key could not be used; until it was stopped, every answer said why',
      unreachable: 'the address or the data folder is in use by another process',
      fault: true,
      permission: 'no permission for a file, the folder or the address',
      config: true,
    })
    .action(async (options: ServeOptions) => (await import('./serve.ts')).serve(options, entry))
}

/** `nightporter check-in`. */
export function checkInCommand(): Command {
  return atAppliance('check-in')
    .description(
      'Checks in a guest as a kiosk does: assigns a room, sets the status, makes the card, and waits until it is taken.',
    )
    .argument('<confirmation>', 'the confirmation number of the booking, such as NP-1001')
    .option('--name <last-name>', 'the last name of the guest, which the token of a kiosk needs')
    .option('--controller <name>', 'the encoder that makes the card (default: the first with a dispenser)')
    .exits({
      done: 'the guest has the card',
      refused: 'a rule of the property does not allow it; ask at the front desk',
      missing: 'no such booking, or no encoder',
      unreachable: true,
      device: true,
      later: 'not possible now, or the card was not taken',
      permission: 'the token does not allow it',
    })
    .action(async (confirmation: string, options: Where & CheckInOptions) => {
      const { checkIn } = await import('./check-in/check-in.ts')
      await checkIn(await clientOf(options), confirmation, options)
    })
}

/** `nightporter door`. */
export function doorCommand(): Command {
  return new Command('door')
    .description('Holds a card to a simulated door, which is set up from the data folder as a real lock is.')
    .argument('[door]', 'a room or a common door (default: the room the card was made for)')
    .option('--card <file>', 'the card file, JSON (default: the newest in DATA/pocket)')
    .option('--data <dir>', 'the data folder of the appliance', './data')
    .option(
      '--at <time>',
      "the door's clock: HH:MM, a date with it, or an instant with offset (default: now)",
    )
    .exits({
      done: 'the door opens',
      refused: 'the door stays shut',
      data: 'the card or the database cannot be read',
      missing: 'no such door, card or folder',
      permission: 'no permission to read a file',
    })
    .action(async (name: string | undefined, options: PresentOptions) => {
      process.exitCode = (await import('./door/door.ts')).presentCard(name, options) ? 0 : exits.refused[0]
    })
}

/** `nightporter import`. */
export function importCommand(): Command {
  return atAppliance('import')
    .description('Imports bookings with their history from a CSV file, plain or .gz.')
    .argument(
      '<file>',
      'the CSV file, its first line naming the columns, separated by comma, semicolon or tab',
    )
    .requiredOption('--map <file>', 'file that maps columns to fields, JSON')
    .option('--create-units', 'creates missing unit types of the map, with their units')
    .option('--refused <file>', 'file for the refused rows, CSV (default: standard error, grouped by reason)')
    .option('--update', 'changes the bookings that are stored otherwise, by the rules of the front desk')
    .option('--differences <file>', 'file for what differs, CSV (default: standard error, the first 20 rows)')
    .option('--dry-run', 'writes nothing: shows how the file is read and which rows would be refused')
    .exits({
      done: 'every row was accepted',
      refused: 'some rows were refused, or differ from what is stored and were not changed',
      data: 'the file or the map is not readable, or they do not match',
      missing: 'no such file',
      unreachable: true,
      later: true,
      permission: 'the token does not allow it',
    })
    .action(async (file: string, options: Where & ImportOptions) => {
      const { importBookings } = await import('./import/import.ts')
      const failed = await importBookings(await clientOf(options), file, options)
      process.exitCode = failed === 0 ? 0 : exits.refused[0]
    })
}

/** `nightporter simulate`. */
export function simulateCommand(): Command {
  return new Command('simulate')
    .description(
      'Simulates devices that share one lobby with its guests and cards, or a PMS (pms, mews, opera).',
    )
    .argument('[device...]', 'the models to simulate')
    .option(
      '--on <where>',
      'where to listen: tcp:PORT, tcp:HOST:PORT, pty or pty:PATH (its folder is created), once for each device in their order; http:PORT for mews and opera; http:PORT or mqtt:URL for pms',
      another,
    )
    .option('--cards <number>', 'blank cards at the start', count, 120)
    .addOption(
      new Option('--card-kind <kind>', 'the card technology')
        .choices(['classic', 'ultralight', 'ntag', 'desfire'])
        .default('classic'),
    )
    .option('--seed <text>', 'seed for the serial numbers of cards (default: random)')
    .option(
      '--taken-after <ms>',
      'how long a guest leaves a card at the gate; never: the card stays',
      milliseconds,
      1_500,
    )
    .option('--pace <factor>', 'duration of motions: 1 as a real machine, 0 none', factor, 1)
    .option('--pocket <dir>', 'folder for the cards that guests take')
    .option(
      '--misbehave <at=does>',
      'DEVICE:COMMAND=DOES[:CODE], a fault of the device at the next COMMAND; may be repeated',
      another,
    )
    .option(
      '--clerk <number>',
      'pms, mews, opera: changes per minute that the simulated clerk makes',
      count,
      6,
    )
    .option('--reservations <number>', 'pms, mews, opera: reservations at the start', count, 12)
    .option(
      '--unit-types <list>',
      'pms, mews, opera: CODE or CODE:FIRST-LAST, separated by commas',
      sampleUnits,
    )
    .addHelpText(
      'after',
      '\nWithout a device it lists the available models. Cards go from the first dispenser to every encoder.\nModels of the CRT-571 family contain an encoder, on the same wire.',
    )
    .exits({
      done: 'stopped by SIGTERM or SIGINT',
      usage: 'the command line is wrong, or there can be no line at pty:PATH',
      missing: 'pty needs the program socat',
      unreachable: 'the port is taken',
      permission: 'pty:PATH may not be created',
    })
    .action(async (devices: string[], options: SimulateOptions) =>
      (await import('./simulate/simulate.ts')).simulate(devices, options),
    )
    .addCommand(misbehaveCommand())
}

function count(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number from 0 to 9999.')
}

/** The option is the word `never`, because commander converts an empty text to null. */
function milliseconds(text: string): number | 'never' {
  if (text === 'never') return text
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected milliseconds, or never.')
}

function factor(text: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number such as 0, 0.2 or 1.')
}
