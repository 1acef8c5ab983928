import type { Command } from '../resource/command.ts'
import * as capturedCard from './cards/captured-card.ts'
import * as cardCommands from './cards/card-commands.ts'
import * as shownCard from './cards/shown-card.ts'
import * as dispenserCommands from './dispensers/dispenser-commands.ts'
import * as deviceAlarms from './handles/device-alarms.ts'
import * as beginKey from './keys/begin-key.ts'
import * as changeKey from './keys/change-key.ts'
import * as completeDoors from './keys/doors/complete-doors.ts'
import * as superseding from './keys/doors/superseding.ts'
import * as onlineCommands from './keys/online-commands.ts'
import * as revokeKeys from './keys/revoke-keys.ts'
import * as linkKeys from './keys/stay/link-keys.ts'
import * as lineSetup from './providers/line-setup.ts'
import * as lockReplaced from './providers/lock-replaced.ts'
import * as mapUnits from './providers/map-units.ts'
import * as syncUnits from './providers/sync-units.ts'

/** Every command that writes a key, a card or a device: all that these files export. */
export const accessCommands: readonly Command[] = [
  [capturedCard, cardCommands, shownCard, deviceAlarms, dispenserCommands],
  [beginKey, changeKey, completeDoors, superseding, onlineCommands, revokeKeys, linkKeys],
  [lineSetup, lockReplaced, mapUnits, syncUnits],
]
  .flat()
  .flatMap((file) => Object.values<unknown>(file).filter(isCommand))

function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'name' in value && 'run' in value
}
