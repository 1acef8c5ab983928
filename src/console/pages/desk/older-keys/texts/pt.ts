import { plural } from '../../../lib/language/format.ts'
import type { OlderKeyTexts } from '../texts.ts'

export const pt: OlderKeyTexts = {
  title: 'Cartões que ainda podem abrir',
  meaning: 'Estes cartões e códigos já não devem abrir nada, mas ainda não está provado.',
  none: 'Nenhum cartão substituído, perdido ou expirado abre uma porta que não deve abrir. Está provado para cada um.',
  gone: (room, why) => `${room}: ${why}`,
  proofs: {
    'card-erased': 'o cartão foi apagado.',
    'lock-acknowledged': 'o sistema de fechaduras confirmou que já não abre esta porta.',
    'newer-original-used': 'um cartão mais recente abriu a porta e a fechadura recusa o antigo.',
    'validity-over': 'o seu tempo terminou, também pelo relógio da fechadura.',
    'never-made': 'nenhuma fechadura o recebeu.',
  },
  until: (time) => `pode abrir até ${time}`,
  whatToDo: 'O que fazer:',
  renew:
    'Guarde o cartão se o hóspede o devolveu. Senão, faça um novo primeiro cartão para o hóspede deste quarto, abra a porta com ele uma vez e prima o botão que então aparece aqui. Se o quarto estiver vazio, o primeiro cartão do próximo hóspede anula os antigos.',
  noNewer:
    'Nenhum cartão deste quarto abre agora. Faça primeiro um para o próximo hóspede ou apague o cartão antigo.',
  itOpened: 'O cartão novo abriu esta porta',
  openedTitle: (room) => `O cartão novo abriu o ${room}?`,
  openedWhich: (uid, time) =>
    `É o primeiro cartão mais recente do quarto, feito ${time}${uid ? ` (${uid})` : ''}.`,
  openedWhy:
    'Confirme só se alguém tiver aberto a porta com este cartão. Os cartões mais antigos do quarto passam então a constar como anulados.',
  card: (start) => `cartão ${start}…`,
  pin: 'código',
  validUntil: (time) => `feito para abrir até ${time}`,
  status: (status) =>
    ({
      live: 'válida',
      virtual: 'não enviada',
      blocked: 'perdido',
      superseded: 'substituído',
      expired: 'terminado',
      revocationPending: 'retirado, não confirmado',
      invalidated: 'retirado',
      unknown: 'desconhecido',
    })[status] ?? status,
  guest: 'Hóspede',
  asked: (count, next) =>
    plural(count, {
      one: `perguntado uma vez, não confirmado; próxima pergunta às ${next}`,
      other: `perguntado ${count} vezes, não confirmado; próxima pergunta às ${next}`,
    }),
  askNow: 'Perguntar agora',
  isOld: (room) => `Este cartão é para ${room} e talvez ainda o abra.`,
  isOldCommon: (room, doors) => `Este cartão é para ${room}. Já não o abre, mas ainda abre ${doors}.`,
  isOther: (room) => `Este cartão é para ${room}. Não é um cartão desta lista e fica como está.`,
  erase: 'Apagá-lo',
  unknownTitle: 'Quartos a verificar depois do restauro',
  unknownWhy: (from, until) =>
    `Os cartões feitos de ${from} a ${until} não são conhecidos aqui e talvez abram estes quartos.`,
  unknownRemedy:
    'Faça um cartão novo para cada quarto quando mudar o hóspede, abra a porta com ele uma vez e indique que abriu. Ou verifique o quarto e indique-o.',
  checked: 'Verificado',
  next: 'Quarto seguinte',
  previous: 'Quarto anterior',
  open: 'Abrir',
}
