// Package nexfile is where the nexflow commands touch the file system: Root reads the
// documents of a set, and Folder writes those of init (nexflow.md sections 4.2, 10.4
// and 11). Both hold on to one opened folder, follow no link inside, never wait for a
// pipe, and check what they have opened instead of what it was called.
//
// It leaves out which files are read or written, and what is in them.
package nexfile
