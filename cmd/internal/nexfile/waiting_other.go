//go:build !unix

package nexfile

// withoutWaiting has no meaning where no file waits for being opened.
const withoutWaiting = 0
