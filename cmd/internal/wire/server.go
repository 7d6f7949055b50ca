package wire

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
)

// Server is an executable that can run a local Temporal server.
type Server struct {
	Path string
	// own: it is terfyn-devserver, which ends with its parent.
	own bool
}

// ErrNoServer: no executable for a local server was found.
var ErrNoServer = errors.New("no Temporal server to start: set TERFYN_DEVSERVER to terfyn-devserver, put it beside terfyn, or install Temporal's own `temporal`")

// FindServer looks at TERFYN_DEVSERVER, beside this executable, and on PATH.
func FindServer() (Server, error) {
	if path := os.Getenv("TERFYN_DEVSERVER"); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return Server{}, errors.Join(errors.New("TERFYN_DEVSERVER names no executable"), err)
		}
		return Server{Path: found, own: true}, nil
	}
	name := "terfyn-devserver"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return Server{Path: beside, own: true}, nil
		}
	}
	for _, candidate := range []string{name, "temporal"} {
		if path, err := exec.LookPath(candidate); err == nil {
			return Server{Path: path, own: candidate == name}, nil
		}
	}
	return Server{}, ErrNoServer
}

// ServerSettings are those of one local server.
type ServerSettings struct {
	Project   string
	Address   string
	Namespace string
	Parent    int
}

// Command builds the start of the server, with a database under the project.
func (s Server) Command(in ServerSettings) *exec.Cmd {
	host, port, err := net.SplitHostPort(in.Address)
	if err != nil {
		host, port = in.Address, ""
	}
	args := []string{
		"server", "start-dev", "--ip", host, "--port", port, "--namespace", in.Namespace, "--headless",
		"--db-filename", filepath.Join(in.Project, Folder, "temporal.db"), "--log-level", "error",
	}
	for _, name := range SearchAttributes() {
		args = append(args, "--search-attribute", name+"=Keyword")
	}
	if s.own {
		args = append(args, "--parent-pid", strconv.Itoa(in.Parent))
	}
	return exec.Command(s.Path, args...)
}
