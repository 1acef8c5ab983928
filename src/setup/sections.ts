import { accessController } from '../access/resources/access-controller.ts'
import { accessProvider } from '../access/resources/access-provider.ts'
import { dispenser } from '../access/resources/dispenser.ts'
import { keyService } from '../access/resources/key-service.ts'
import { account, nameKeyOf } from '../auth/resources/account.ts'
import { pmsConfiguration } from '../pms/resources/pms-configuration.ts'
import { property } from '../reservation/resources/property.ts'
import { settings } from '../reservation/resources/settings.ts'
import { unitType } from '../reservation/resources/unit-type.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Resource } from '../resource/resource.ts'
import { paymentTerminal } from '../terminal/payment-terminal.ts'

export type Values = Record<string, unknown>

/** A member of the set-up document that describes resources of one type. */
export interface Section {
  name: string
  resource: Resource
  /** The field by which an item is found among the stored rows; null where there is one row only. */
  key: string | null
  /**
   * Members that name an item of another section, and the field that has its id. A trial checks an item without an
   * optional one that the document is still to make.
   */
  references: Record<string, { field: string; to: string; isOptional?: true }>
  /** Returns the form of a key in which two keys of the same row are equal; absent where only equal ones are. */
  keyForm?(key: string): string
  /**
   * No rule of another item looks at it, so a trial asks for it alone: to make it would move all stays, of which a trial would need a
   * copy.
   */
  isAlone?: true
  /** Fields that a document does not have. */
  without: readonly string[]
  /** Completes what a person need not write. */
  complete?(item: Values): Values
}

const plain = { key: 'name', references: {}, without: [] as readonly string[] }

/** The sections in the order in which they are applied: what others refer to comes first. */
export const sections: readonly Section[] = [
  {
    ...plain,
    name: 'settings',
    resource: settings,
    key: null,
    isAlone: true,
    without: ['tenantId', 'setupProgress'],
  },
  {
    ...plain,
    name: 'property',
    resource: property,
    key: null,
    complete: (item) => ({ enabled: true, ...item }),
  },
  { ...plain, name: 'unitTypes', resource: unitType, key: 'code', without: ['amenities'] },
  { ...plain, name: 'lockSystems', resource: accessProvider, without: ['credentials'] },
  { ...plain, name: 'dispensers', resource: dispenser, without: ['estimatedCards'] },
  {
    ...plain,
    name: 'encoders',
    resource: accessController,
    references: {
      lockSystem: { field: 'providerId', to: 'lockSystems' },
      dispenser: { field: 'dispenserId', to: 'dispensers' },
    },
    complete: (item) => ({
      kind: item.dispenser ? 'dispenser-encoder' : 'encoder',
      keyType: 'keyCard',
      ...item,
    }),
  },
  {
    ...plain,
    name: 'paymentTerminals',
    resource: paymentTerminal,
    references: { encoder: { field: 'controllerId', to: 'encoders', isOptional: true } },
  },
  { ...plain, name: 'keyServices', resource: keyService },
  { ...plain, name: 'pms', resource: pmsConfiguration, without: ['credentials'] },
  { ...plain, name: 'staff', resource: account, keyForm: nameKeyOf },
]

/** Fields with secrets. They are sent when an item is made, and never compared or exported. */
export const secretFields: readonly string[] = ['credentials']

/** Returns a section by a name that is known to exist. */
export function sectionOf(name: string): Section {
  return sections.find((each) => each.name === name)!
}

/** Returns all rows of a resource of which a property has at most some thousands. */
export function rowsOf(reader: Reader, resource: Resource): Values[] {
  const rows: Values[] = []
  for (let after: string | undefined; ; ) {
    const page = { size: 500, ...(after !== undefined && { after }) }
    const found = reader.rows(resource, { filters: [], sort: [], page }) as Values[]
    rows.push(...found)
    if (found.length < page.size) return rows
    after = String(found.at(-1)!.id)
  }
}
