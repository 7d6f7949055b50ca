package pgserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// superuser is the database role of the cluster.
const superuser = "terfyn"

// longestSocket is the longest folder name that leaves room for the socket's
// own name in a Unix socket address.
const longestSocket = 80

// owner is the system user the server runs as.
type owner struct{ uid, gid uint32 }

// Cluster is a running server.
type Cluster struct {
	bin      string
	user     *owner
	settings []string
	dir      string
	host     string // socket folder or loopback address
	port     int
	proc     *os.Process
	output   *tail
	exited   chan struct{}
}

// Durable is the setting under which a commit survives the kill of the server.
// By default commits are not waited for, which is faster.
const Durable = "synchronous_commit=on"

// Start initialises a cluster in a new temporary folder and runs it with further
// settings (name=value) over its own. The server also stops when this process
// dies without calling Stop (Linux).
func Start(ctx context.Context, settings ...string) (*Cluster, error) {
	bin, err := Find()
	if err != nil {
		return nil, err
	}
	user, err := unprivileged()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "terfyn-pg-")
	if err != nil {
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	c := &Cluster{bin: bin, user: user, settings: settings, dir: dir, host: dir, port: 5432}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start PostgreSQL from %s: %w", bin, err), c.Stop())
	}
	return c, nil
}

// DSN returns the address of a database of the cluster, with all rights.
func (c *Cluster) DSN(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database}
	query := url.Values{"sslmode": {"disable"}}
	if filepath.IsAbs(c.host) {
		query.Set("host", c.host)
		query.Set("port", strconv.Itoa(c.port))
	} else {
		u.Host = net.JoinHostPort(c.host, strconv.Itoa(c.port))
	}
	u.RawQuery = query.Encode()
	return u.String()
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

func (c *Cluster) start(ctx context.Context) error {
	if c.user != nil {
		if err := os.Chown(c.dir, int(c.user.uid), int(c.user.gid)); err != nil {
			return err
		}
	}
	initdb := exec.CommandContext(ctx, filepath.Join(c.bin, "initdb"), "-D", c.data(), "-U", superuser,
		"-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	initdb.SysProcAttr, initdb.Dir, initdb.Env = attributes(c.user), c.dir, environment()
	if out, err := onLockedThread(initdb.CombinedOutput); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return c.serve(ctx)
}

// Crash kills the server without warning and starts it again on its data.
func (c *Cluster) Crash(ctx context.Context) error {
	if err := c.proc.Kill(); err != nil {
		return fmt.Errorf("kill PostgreSQL: %w", err)
	}
	<-c.exited
	for { // its backends notice within moments; until then the data folder is in use
		err := c.serve(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// serve runs the server on the data folder and returns once it takes connections.
func (c *Cluster) serve(ctx context.Context) error {
	args, err := c.arguments(c.data())
	if err != nil {
		return err
	}
	c.output, c.exited = newTail(), make(chan struct{})
	server := exec.Command(filepath.Join(c.bin, "postgres"), args...)
	server.SysProcAttr, server.Dir, server.Env = attributes(c.user), c.dir, environment()
	server.Stderr = c.output
	if err := c.run(server, c.exited); err != nil {
		return err
	}
	select {
	case <-c.output.ready:
		return nil
	case <-c.exited:
		return fmt.Errorf("the server ended at once:\n%s", c.output)
	case <-ctx.Done():
		return fmt.Errorf("%w; the server said:\n%s", context.Cause(ctx), c.output)
	}
}

// arguments chooses the address and trades all durability for speed.
func (c *Cluster) arguments(data string) ([]string, error) {
	listen := ""
	if c.host == "127.0.0.1" {
		listen = c.host // started again on the same port
	} else if len(c.dir) > longestSocket || runtime.GOOS == "windows" {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		c.host, c.port, listen = "127.0.0.1", port, "127.0.0.1"
	}
	settings := []string{
		"listen_addresses=" + listen, "fsync=off", "synchronous_commit=off", "full_page_writes=off",
		"max_connections=300", "autovacuum=off", "log_min_messages=log", "log_min_error_statement=panic", "max_wal_size=2GB",
	}
	if listen == "" {
		settings = append(settings, "unix_socket_directories="+c.dir)
	} else {
		settings = append(settings, "unix_socket_directories=")
	}
	args := []string{"-D", data, "-p", strconv.Itoa(c.port)}
	for _, s := range append(settings, c.settings...) {
		args = append(args, "-c", s)
	}
	return args, nil
}

// run starts the server on a thread that lives as long as the server: the
// signal on the parent's death is bound to the thread that forked.
func (c *Cluster) run(server *exec.Cmd, exited chan struct{}) error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := server.Start()
		started <- err
		if err != nil {
			return
		}
		_ = server.Wait() // how it ended shows in its output
		close(exited)
	}()
	if err := <-started; err != nil {
		return err
	}
	c.proc = server.Process
	return nil
}

// onLockedThread runs f so that the forking thread outlives the child.
func onLockedThread[T any](f func() (T, error)) (T, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return f()
}

// Stop ends the server by its process id and removes its folder.
func (c *Cluster) Stop() error {
	if c.proc != nil {
		for _, how := range []os.Signal{os.Interrupt, os.Kill} { // fast, then hard
			if err := c.proc.Signal(how); err != nil {
				break // it has ended
			}
			select {
			case <-c.exited:
			case <-time.After(10 * time.Second):
				continue
			}
			break
		}
	}
	if err := os.RemoveAll(c.dir); err != nil {
		return fmt.Errorf("remove the PostgreSQL test cluster: %w", err)
	}
	return nil
}

// environment keeps the caller's settings for PostgreSQL clients away from the
// server and its messages in English, where readiness is looked for.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
