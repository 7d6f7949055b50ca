package archtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// List asks the go command for the packages that patterns name, seen from dir,
// and for everything they depend on.
func List(ctx context.Context, dir string, patterns ...string) ([]Package, error) {
	args := append([]string{"list", "-deps", "-json=ImportPath,Standard,Imports"}, patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w\n%s", dir, err, stderr.Bytes())
	}
	var packages []Package
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the list of packages of %s: %w", dir, err)
		}
		packages = append(packages, p)
	}
}
