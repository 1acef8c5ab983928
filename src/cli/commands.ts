import { Command, InvalidArgumentError, Option } from 'commander'
import { sampleUnits } from '../pms/adapters/cloudevents/simulator/units.ts'
import { atAppliance, clientOf, type Where } from './at-appliance.ts'
import type { DoorOptions } from './door.ts'
import { exitHelp, exits } from './exit-codes.ts'
import type { ImportOptions } from './import/import.ts'
import { another } from './repeated.ts'
import type { ServeOptions } from './serve.ts'
import type { SimulateOptions } from './simulate/simulate.ts'

export function serveCommand(entry: URL): Command {
  return new Command('serve')
    .description('Runs the appliance. An empty data folder gets the sample property, with simulated devices.')
    .option('--listen <host:port>', 'where it listens; port 0 takes a free one (default: 127.0.0.1:8080)')
    .option('--data <dir>', 'the folder of the database and its key (default: ./data)')
    .option('--empty', 'starts an empty store without the sample property')
    .option(
      '--found-anew',
      'where database or key is missing, sets the rest of the old property aside and begins a new one',
    )
    .option('--tls-cert <file>', 'certificate chain, PEM; needed beyond this machine')
    .option('--tls-key <file>', 'private key, PEM')
    .addOption(
      new Option('--log-level <level>', 'what is logged, on standard error (default: warn)').choices([
        'debug',
        'info',
        'warn',
        'error',
        'silent',
      ]),
    )
    .addHelpText(
      'after',
      exitHelp({
        done: 'stopped by SIGTERM or SIGINT',
        data: 'stopped while it served a page that says what is wrong with the database or its key',
        unreachable: 'the address or the folder is taken by another',
        fault: true,
        permission: 'a file, the folder or the address may not be used',
        config: true,
      }),
    )
    .action(async (options: ServeOptions) => (await import('./serve.ts')).serve(options, entry))
}

export function checkInCommand(): Command {
  return atAppliance('check-in')
    .description('Checks a guest in as a kiosk does: room, status, card, and the card into the hand.')
    .argument('<confirmation>', 'the number on the booking, such as NP-1001')
    .option('--controller <name>', 'which encoder makes the card (default: the first with a dispenser)')
    .addHelpText(
      'after',
      exitHelp({
        done: 'the guest has the card',
        refused: 'the rules of the house say no; the desk decides',
        missing: 'no such booking, or no encoder',
        unreachable: true,
        device: true,
        later: 'not now; or the card was not taken',
        permission: 'the token does not allow it',
      }),
    )
    .action(async (confirmation: string, options: Where & { controller?: string }) => {
      const { checkIn } = await import('./check-in.ts')
      await checkIn(await clientOf(options), confirmation, options)
    })
}

export function doorCommand(): Command {
  return new Command('door')
    .description('Holds a card to a simulated door, set up from the data folder as a lock is.')
    .argument('[door]', 'a room or a common door (default: the room the card was made for)')
    .option('--card <file>', 'the card, a JSON file (default: the newest in DATA/pocket)')
    .option('--data <dir>', 'the data folder of the appliance', './data')
    .option(
      '--at <time>',
      "the door's clock: HH:MM, a date with it, or an instant with offset (default: now)",
    )
    .addHelpText(
      'after',
      exitHelp({
        done: 'the door opens',
        refused: 'the door stays shut',
        data: 'the card or the database cannot be read',
        missing: 'no such door, card or folder',
        permission: 'a file may not be read',
      }),
    )
    .action(async (name: string | undefined, options: DoorOptions) => {
      process.exitCode = (await import('./door.ts')).presentCard(name, options) ? 0 : exits.refused[0]
    })
}

export function importCommand(): Command {
  return atAppliance('import')
    .description('Imports bookings with their history from a CSV file, plain or .gz.')
    .argument('<file>', 'the CSV file, its first line naming the columns')
    .requiredOption('--map <file>', 'which column means what, JSON')
    .option('--create-units', 'makes the unit types of the map, with their units, where they are missing')
    .option('--refused <file>', 'writes the refused rows there as CSV (default: standard error)')
    .addHelpText(
      'after',
      exitHelp({
        done: 'every row was accepted',
        refused: 'some rows were refused',
        data: 'the file or the map cannot be read, or does not fit',
        missing: 'no such file',
        unreachable: true,
        later: true,
        permission: 'the token does not allow it',
      }),
    )
    .action(async (file: string, options: Where & ImportOptions) => {
      const { importBookings } = await import('./import/import.ts')
      const refused = await importBookings(await clientOf(options), file, options)
      process.exitCode = refused === 0 ? 0 : exits.refused[0]
    })
}

export function simulateCommand(): Command {
  return new Command('simulate')
    .description(
      'Plays devices at the other end of a wire: one lobby, in which cards go from hand to hand; or a PMS: pms, mews.',
    )
    .argument('[device...]', 'the models to play')
    .option(
      '--on <where>',
      'tcp:PORT, tcp:HOST:PORT, pty or pty:PATH; once for each device, in their order; http:PORT for Mews, or that or mqtt:URL for a PMS',
      another,
    )
    .option('--cards <number>', 'blank cards at the start', count, 120)
    .addOption(
      new Option('--card-kind <kind>', 'what cards they are')
        .choices(['classic', 'ultralight', 'ntag', 'desfire'])
        .default('classic'),
    )
    .option('--seed <text>', 'the same serial numbers each time (default: random ones)')
    .option(
      '--taken-after <ms>',
      'how long a guest leaves a card at the gate; never: for ever',
      milliseconds,
      1_500,
    )
    .option('--pace <factor>', 'how long a motion takes: 1 as a real machine, 0 at once', factor, 1)
    .option('--pocket <dir>', 'the folder in which guests keep the cards they take')
    .option(
      '--misbehave <at=does>',
      'DEVICE:COMMAND=DOES[:CODE], the next time it is asked for that; may be repeated',
      another,
    )
    .option('--clerk <number>', 'of a PMS: what its clerk does in a minute', count, 6)
    .option('--reservations <number>', 'of a PMS: at the start', count, 12)
    .option('--unit-types <list>', 'of a PMS: CODE or CODE:FIRST-LAST, with commas', sampleUnits)
    .addHelpText(
      'after',
      '\nWithout a device it names those there are. Cards go from the first dispenser to every encoder;\nthose of the CRT-571 family have one inside, on the same wire.',
    )
    .addHelpText(
      'after',
      exitHelp({ done: 'stopped by SIGTERM or SIGINT', usage: true, unreachable: 'the port is taken' }),
    )
    .action(async (devices: string[], options: SimulateOptions) =>
      (await import('./simulate/simulate.ts')).simulate(devices, options),
    )
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
