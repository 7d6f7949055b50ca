package probe

// memfdCreate is a system call that package syscall has no name for.
const memfdCreate = 279
