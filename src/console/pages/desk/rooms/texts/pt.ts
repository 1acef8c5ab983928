import { plural } from '../../../lib/format.ts'
import type { RoomTexts } from './en.ts'

export const pt: RoomTexts = {
  title: 'Quartos',
  none: 'Ainda não há quartos. Crie-os na configuração.',
  howTo:
    'Escolha quartos e depois o seu novo estado. Fora de serviço: não é dado a hóspedes. Avariado: também não é vendido.',
  noneOfThese: 'Nenhum quarto está assim.',
  all: 'Todos',
  allFloors: 'Todos os andares',
  floor: (name) => `Andar ${name}`,
  byStatus: 'Por estado',
  byFloor: 'Por andar',
  arrivesToday: 'Chegada hoje',
  leavesToday: 'Partida hoje',
  occupied: 'Hóspede presente',
  setStatus: 'Novo estado',
  chosen: (count) => plural(count, { one: '1 quarto escolhido', other: `${count} quartos escolhidos` }),
  chooseNone: 'Não escolher nenhum',
  changed: (names) => `Alterado: ${names}.`,
  undo: 'Desfazer',
  status: {
    Dirty: 'Sujo',
    Cleaning: 'Em limpeza',
    Clean: 'Limpo',
    Inspected: 'Inspecionado',
    OutOfService: 'Fora de serviço',
    OutOfOrder: 'Avariado',
  },
}
