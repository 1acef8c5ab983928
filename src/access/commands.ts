import type { Command } from '../resource/command.ts'
import { blockCaptured, capturedCard } from './cards/captured-card.ts'
import { cardRead, doubtKey, endCard, erasedCard, stepCard, verifyKey } from './cards/card-commands.ts'
import { foundController } from './controllers/device-alarms.ts'
import {
  commandDispenser,
  emptyBin,
  fedCard,
  foundDispenser,
  jammedCard,
  refillDispenser,
  returnedCard,
  setCounters,
  startedAnew,
} from './dispensers/dispenser-commands.ts'
import { anotherPin, beginKey, beginPin, changeHeld, holdPin, materialiseKey } from './keys/begin-key.ts'
import { beginChange, changedKey, labelKey, refuseChange } from './keys/change-key.ts'
import { completeDoors } from './keys/complete-doors.ts'
import { confirmKey, doubtOnlineKey, failKey, keepKey } from './keys/pending/online-commands.ts'
import {
  expireKeys,
  forgetPins,
  proveDead,
  publishDue,
  reviveKeys,
  revocationReported,
  revokeKey,
  seenAtDoor,
} from './keys/pending/revoke-keys.ts'
import { linkWaitingKeys } from './keys/stay/link-keys.ts'
import { addMappings } from './providers/add-mappings.ts'
import { refusedConnection } from './providers/refused-connection.ts'
import { syncUnits } from './providers/sync-units.ts'

/** Every command that writes a key, a card or a device. */
export const accessCommands: readonly Command[] = [
  beginKey,
  beginPin,
  holdPin,
  changeHeld,
  materialiseKey,
  anotherPin,
  confirmKey,
  failKey,
  doubtOnlineKey,
  keepKey,
  beginChange,
  refuseChange,
  changedKey,
  labelKey,
  revokeKey,
  proveDead,
  revocationReported,
  seenAtDoor,
  expireKeys,
  reviveKeys,
  publishDue,
  forgetPins,
  completeDoors,
  linkWaitingKeys,
  stepCard,
  verifyKey,
  endCard,
  doubtKey,
  cardRead,
  erasedCard,
  blockCaptured,
  capturedCard,
  commandDispenser,
  fedCard,
  jammedCard,
  returnedCard,
  startedAnew,
  refillDispenser,
  emptyBin,
  setCounters,
  foundDispenser,
  foundController,
  syncUnits,
  addMappings,
  refusedConnection,
]
