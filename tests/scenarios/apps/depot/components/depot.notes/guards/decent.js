export const guard = ({ label }) => !label.startsWith('bad')
