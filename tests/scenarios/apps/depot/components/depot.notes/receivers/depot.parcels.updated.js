export const request = ({ id, label, stage }) => ({ input: { parcel: id, label: label + ' ' + stage } })
