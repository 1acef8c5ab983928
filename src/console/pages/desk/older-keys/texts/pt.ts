import type { OlderKeyTexts } from './en.ts'

export const pt: OlderKeyTexts = {
  title: 'Chaves que ainda podem abrir',
  meaning: 'Estes cartões e códigos já não devem abrir nada, mas ainda não está provado.',
  none: 'Está provado que todo o cartão que deve estar morto o está.',
  until: (time) => `pode abrir até ${time}`,
  whatToDo: 'O que fazer:',
  noNewer:
    'Nenhum cartão deste quarto abre agora. Faça primeiro um para o próximo hóspede ou apague o cartão antigo.',
  itOpened: 'O cartão novo abriu esta porta',
  card: (start) => `cartão ${start}…`,
  pin: 'código',
  validUntil: (time) => `feito para abrir até ${time}`,
  status: (status) =>
    ({
      blocked: 'perdido',
      superseded: 'substituído',
      expired: 'terminado',
      revocationPending: 'retirado, não confirmado',
      invalidated: 'retirado',
      unknown: 'desconhecido',
    })[status] ?? status,
  guest: 'Hóspede',
  next: 'Quarto seguinte',
  previous: 'Quarto anterior',
  open: 'Abrir',
}
