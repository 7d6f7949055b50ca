// Package nexflow is the command line of terfyn nexflow: its own strict arguments, its
// help, its formats and exit codes (nexflow.md section 10).
//
// It leaves out terfyn's common flags and configuration, which this group does not
// have, the work itself (compiler/nexflow), and how files are read and written
// (nexfile). Nothing here looks at the environment.
package nexflow
