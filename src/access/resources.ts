import type { Resource } from '../resource/resource.ts'
import { accessController } from './resources/access-controller.ts'
import { accessProvider } from './resources/access-provider.ts'
import { accessUnit } from './resources/access-unit.ts'
import { cardRun } from './resources/card-run.ts'
import { dispenser } from './resources/dispenser.ts'
import { key } from './resources/key.ts'
import { keyService } from './resources/key-service.ts'
import { unitToCheck } from './resources/unit-to-check.ts'

/** Every resource of the access interface and its configuration; a resource comes after those that it references. */
export const accessResources: readonly Resource[] = [
  accessProvider,
  dispenser,
  accessController,
  accessUnit,
  key,
  cardRun,
  keyService,
  unitToCheck,
]
