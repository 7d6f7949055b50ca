//go:build !linux

package pgserver

import (
	"errors"
	"os"
	"syscall"
)

func attributes(*owner) *syscall.SysProcAttr { return nil }

func unprivileged() (*owner, error) {
	if os.Geteuid() == 0 {
		return nil, errors.New("PostgreSQL refuses to run as root: run the tests as another user")
	}
	return nil, nil
}
