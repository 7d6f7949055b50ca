package server

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/searchattribute/sadefs"
)

const usage = `usage: terfyn-devserver server start-dev [flags]
       terfyn-devserver version

  --ip ADDR                   loopback address to listen on (default 127.0.0.1)
  --port N                    gRPC port, 0 for a free one (default 7233)
  --http-port N               HTTP API port (default: no HTTP API)
  --namespace NAME            namespace to create, repeatable (default "default")
  --search-attribute NAME=TYPE
                              attribute of those namespaces, repeatable; TYPE is Keyword, Text,
                              Int, Double, Bool, Datetime or KeywordList
  --db-filename PATH          SQLite database to keep (default: in memory, gone at exit)
  --reset-db                  throw the file of --db-filename away and begin anew
  --dynamic-config-value KEY=JSON
                              server setting, repeatable; the last value of a key counts
  --log-level LEVEL           debug, info, warn, error or never (default error)
  --log-format FORMAT         text, pretty (the same) or json (default text)
  --ready-file PATH           write {"address","pid","namespaces"} there when ready
  --parent-pid PID            stop when this process, which must be the parent, is gone
  --headless, --ui-port N     accepted for compatibility; there is no web console
`

const defaultPort = 7233

// Options is what one start of the server was asked for, checked and defaulted.
type Options struct {
	IP               string   // loopback, in a form net.ParseIP reads
	Port             int      // 0 asks for a free port
	HTTPPort         int      // 0 means no HTTP API
	Namespaces       []string // at least one, in the order given, each once
	SearchAttributes map[string]enumspb.IndexedValueType
	DBFilename       string // empty keeps everything in memory
	ResetDB          bool
	DynamicConfig    dynamicconfig.StaticClient // the defaults with the user's values over them
	LogLevel         slog.Level
	LogFormat        string // "text" or "json"
	ReadyFile        string // empty writes none
	ParentPID        int    // 0 watches none
	Notes            []string
}

// Parse reads the flags that follow "server start-dev". It returns flag.ErrHelp
// when help was asked for. Notes tells of flags that were accepted and have no
// effect.
func Parse(args []string) (Options, error) {
	var (
		opts                Options
		dynamic, attributes repeated
		level, uiPort       string
		unused              bool
		fs                  = flag.NewFlagSet(name, flag.ContinueOnError)
		namespaces          repeated
	)
	fs.SetOutput(io.Discard)
	fs.StringVar(&opts.IP, "ip", "127.0.0.1", "")
	fs.IntVar(&opts.Port, "port", defaultPort, "")
	fs.IntVar(&opts.HTTPPort, "http-port", 0, "")
	fs.Var(&namespaces, "namespace", "")
	fs.Var(&attributes, "search-attribute", "")
	fs.StringVar(&opts.DBFilename, "db-filename", "", "")
	fs.BoolVar(&opts.ResetDB, "reset-db", false, "")
	fs.Var(&dynamic, "dynamic-config-value", "")
	fs.StringVar(&level, "log-level", "error", "")
	fs.StringVar(&opts.LogFormat, "log-format", "text", "")
	fs.StringVar(&opts.ReadyFile, "ready-file", "", "")
	fs.IntVar(&opts.ParentPID, "parent-pid", 0, "")
	fs.BoolVar(&unused, "headless", true, "")
	fs.StringVar(&uiPort, "ui-port", "", "")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return Options{}, err
		}
		return Options{}, fmt.Errorf("%w; --help lists the flags", err)
	}
	if fs.NArg() > 0 {
		return Options{}, fmt.Errorf("unexpected argument %q after the flags", fs.Arg(0))
	}
	if uiPort != "" {
		opts.Notes = append(opts.Notes, "--ui-port has no effect, this server has no web console")
	}
	return opts.complete(level, namespaces, attributes, dynamic)
}

// complete checks the plain flag values and turns the textual ones into what the
// server takes.
func (o Options) complete(level string, namespaces, attributes, dynamic []string) (Options, error) {
	var err error
	if o.IP, err = loopback(o.IP); err != nil {
		return Options{}, err
	}
	if err := o.checkNumbers(); err != nil {
		return Options{}, err
	}
	if o.ResetDB && o.DBFilename == "" {
		return Options{}, errors.New("--reset-db needs --db-filename, there is no file to throw away")
	}
	if o.LogLevel, err = parseLevel(level); err != nil {
		return Options{}, err
	}
	if o.LogFormat, err = parseFormat(o.LogFormat); err != nil {
		return Options{}, err
	}
	if o.Namespaces, err = distinctNamespaces(namespaces); err != nil {
		return Options{}, err
	}
	if o.SearchAttributes, err = parseAttributes(attributes); err != nil {
		return Options{}, err
	}
	settings, notes, err := dynamicSettings(dynamic)
	if err != nil {
		return Options{}, err
	}
	o.DynamicConfig = settings
	o.Notes = append(o.Notes, notes...)
	return o, nil
}

func (o Options) checkNumbers() error {
	const maxPort = 65535
	if o.Port < 0 || o.Port > maxPort {
		return fmt.Errorf("--port %d is no port; give 0 to %d", o.Port, maxPort)
	}
	if o.HTTPPort < 0 || o.HTTPPort > maxPort {
		return fmt.Errorf("--http-port %d is no port; give 0 to %d", o.HTTPPort, maxPort)
	}
	if o.HTTPPort != 0 && o.HTTPPort == o.Port {
		return fmt.Errorf("--http-port and --port are both %d; choose two", o.Port)
	}
	if o.ParentPID < 0 {
		return fmt.Errorf("--parent-pid %d is no process id", o.ParentPID)
	}
	return nil
}

// loopback allows the loopback addresses only: the server has no
// authentication, so whoever reaches its port may do anything in it.
func loopback(ip string) (string, error) {
	switch ip {
	case "localhost":
		return "127.0.0.1", nil
	case "127.0.0.1", "::1":
		return ip, nil
	}
	return "", fmt.Errorf("--ip %s is refused: this server has no authentication and listens on loopback only; use 127.0.0.1, ::1 or localhost", ip)
}

func distinctNamespaces(names []string) ([]string, error) {
	if len(names) == 0 {
		return []string{"default"}, nil
	}
	var out []string
	seen := make(map[string]bool)
	for _, n := range names {
		if n == "" {
			return nil, errors.New("--namespace needs a name")
		}
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out, nil
}

// parseAttributes checks names and types only; how many of a type fit is the
// database's knowledge and is found out when the namespace is made.
func parseAttributes(pairs []string) (map[string]enumspb.IndexedValueType, error) {
	out := make(map[string]enumspb.IndexedValueType)
	for _, pair := range pairs {
		attr, text, ok := strings.Cut(pair, "=")
		if !ok || attr == "" {
			return nil, fmt.Errorf("--search-attribute %q is not NAME=TYPE", pair)
		}
		typ, err := enumspb.IndexedValueTypeFromString(text)
		if err != nil || typ == enumspb.INDEXED_VALUE_TYPE_UNSPECIFIED {
			return nil, fmt.Errorf("--search-attribute %s: %q is no type; use Keyword, Text, Int, Double, Bool, Datetime or KeywordList", attr, text)
		}
		if sadefs.IsReserved(attr) {
			return nil, fmt.Errorf("--search-attribute %s: the server uses this name itself; choose another", attr)
		}
		if before, ok := out[attr]; ok && before != typ {
			return nil, fmt.Errorf("--search-attribute %s is given as %s and as %s", attr, before, typ)
		}
		out[attr] = typ
	}
	return out, nil
}

// repeated collects the values of a flag that may be given several times.
type repeated []string

func (r *repeated) String() string { return strings.Join(*r, ",") }

func (r *repeated) Set(v string) error {
	*r = append(*r, v)
	return nil
}
