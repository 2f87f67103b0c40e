package plane

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// Plane describes a running control plane. Its supervisor writes it to plane.json in the plane's run directory, and for
// the lasting plane of `make up` also in .lab/ of the repository, so that other programs find it.
type Plane struct {
	// Dir is the run directory: sockets, certificates, etcd's data and the logs. Mode 0700, gone when the plane ends.
	Dir string `json:"dir"`
	// Kubeconfig is the path of the administrator's kubeconfig, mode 0600.
	Kubeconfig string `json:"kubeconfig"`
	// Server is the API server's URL, always on 127.0.0.1.
	Server string `json:"server"`
	// EtcdMetrics is the URL where etcd answers /metrics and /health, and nothing else.
	EtcdMetrics string `json:"etcdMetrics"`
	// Version is what the API server says of itself, "v1.37.1".
	Version string `json:"version"`
	// Supervisor is the process id of the program that owns the servers.
	Supervisor int `json:"supervisor"`
	// Controllers says that kube-controller-manager runs and its garbage collector is ready.
	Controllers bool `json:"controllers"`
	// Lasting is the state directory of a plane started by `make up`, empty for a private one.
	Lasting string `json:"lasting,omitempty"`
	// Started and Expires bound the plane's life: its certificates are good for a week.
	Started time.Time `json:"started"`
	Expires time.Time `json:"expires"`
	// Failure is set, and everything stopped, when one of the servers died by itself.
	Failure *Failure `json:"failure,omitempty"`
}

// Failure says which server died, of what, and what it said last.
type Failure struct {
	// Component is the server that ended first.
	Component Component `json:"component"`
	// Cause says how it ended: "was killed (signal: killed)" or the telling line of its log.
	Cause string `json:"cause"`
	// Log is the end of its log.
	Log []string `json:"log,omitempty"`
	// LogFile is where the whole log was kept, empty when it was not.
	LogFile string `json:"logFile,omitempty"`
	// At is when it ended.
	At time.Time `json:"at"`
}

// Error makes a Failure an error: one line, then the end of the log.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.Component, Printable(f.Cause))
	if len(f.Log) > 0 {
		fmt.Fprintf(&b, "\nThe end of its log:")
		for _, line := range f.Log {
			b.WriteString("\n    " + term.Clip(Printable(line), 92))
		}
	}
	if f.LogFile != "" {
		fmt.Fprintf(&b, "\nThe whole log: %s", f.LogFile)
	}
	return b.String()
}

const File = "plane.json"

// ErrDamaged is wrapped by Read for a file that is there and is no description of a plane.
var ErrDamaged = errors.New("is damaged")

// Read reads plane.json in dir. The error is fs.ErrNotExist when there is none.
func Read(dir string) (*Plane, error) {
	path := filepath.Join(dir, File)
	data, err := ReadSmall(path)
	if errors.Is(err, errOdd) || errors.Is(err, errNotOurs) {
		return nil, fmt.Errorf("%s %w: %w", path, ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	p := new(Plane)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s %w: %v", path, ErrDamaged, err)
	}
	if p.Dir == "" || p.Kubeconfig == "" {
		return nil, fmt.Errorf("%s %w: it names no control plane", path, ErrDamaged)
	}
	p.MakeReadable()
	return p, nil
}

// WriteTo writes plane.json in dir, whole or not at all.
func (p *Plane) WriteTo(dir string) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, File), append(data, '\n'))
}

// WriteFile replaces the file at path by data, mode 0600, whole or not at all: a reader, and a full disk, never leave
// it half-written.
func WriteFile(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Remove removes plane.json from dir.
func Remove(dir string) error { return RemoveIfThere(filepath.Join(dir, File)) }

// RemoveIfThere removes a file; that there is none is no error.
func RemoveIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
