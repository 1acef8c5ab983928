import { plural } from '../../lib/format.ts'
import type { DeskTexts } from './en.ts'

export const pt: DeskTexts = {
  screens: {
    today: 'Hoje',
    rack: 'Mapa de quartos',
    rooms: 'Quartos',
    keys: 'Chaves que ainda podem abrir',
    devices: 'Dispositivos',
    conflicts: 'Conflitos com o PMS',
    walkIn: 'Sem reserva',
    lobby: 'Átrio de demonstração',
  },
  frame: {
    alarms: (count) => plural(count, { one: '1 alarme', other: `${count} alarmes` }),
    keysMayOpen: (count) => `Chaves que podem abrir: ${count}`,
    screens: 'Ecrãs',
    search: 'Procurar',
    live: 'Ligação à caixa: ativa',
    noLine: 'Sem ligação à caixa',
    lock: 'Bloquear',
    keysHelp: 'Teclas',
    letters: 'As letras sozinhas são atalhos',
    notAllowed: 'A sua função não mostra esta página.',
    soon: 'Este ecrã não existe.',
    skip: 'Para o conteúdo',
  },
}
