import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { resources, shapeOf } from '../../src/composition/api.ts'
import { cursorOf, webhook } from '../../src/events/resources/webhook.ts'
import { keepPlaces } from '../../src/events/webhooks/webhook-commands.ts'
import { openWritingConnection } from '../../src/store/connection.ts'
import { migrate } from '../../src/store/migrate.ts'
import { transactions } from '../../src/store/writer/transaction.ts'

describe('the cursor of a webhook', () => {
  it('is not set back by deliveries from before it was enabled again', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'nightporter-places-'))
    const path = join(folder, 'nightporter.db')
    const db = openWritingConnection(path)
    t.after(() => {
      db.close()
      rmSync(folder, { recursive: true })
    })
    migrate(db, path)
    const { begin } = transactions(db, resources, shapeOf)
    const tx = () => begin(Date.UTC(2026, 5, 1), { by: 'test', requestId: null })
    const { id } = tx().insert(webhook, { url: 'https://pms.example/hook', types: ['*'], enabled: true })
    const toldUpTo = cursorOf(tx(), id)
    tx().patch(webhook, id, { enabled: false })
    tx().journal('system.missed', `webhooks/${id}`, {})
    tx().patch(webhook, id, { enabled: true })
    const begins = cursorOf(tx(), id)
    assert.ok(begins > toldUpTo)
    keepPlaces.run(tx(), [{ webhookId: id, sequence: toldUpTo }])
    assert.equal(cursorOf(tx(), id), begins)
    keepPlaces.run(tx(), [{ webhookId: id, sequence: begins + 1 }])
    assert.equal(cursorOf(tx(), id), begins + 1)
  })
})
