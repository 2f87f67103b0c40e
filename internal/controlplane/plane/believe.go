package plane

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// What a supervisor says of its control plane decides which server gets requests and which kubeconfig kubectl runs
// with. So it is held against what we know without it.

// errUntrue says that what a supervisor tells of its control plane cannot be so.
var errUntrue = errors.New("does not tell the truth")

// Believe returns the control plane as its supervisor describes it. run is the run directory that was asked, and from
// the folder whose plane.json named it: the run directory itself, or a state directory.
func Believe(said *Plane, run, from string) (*Plane, error) {
	no := func(format string, args ...any) (*Plane, error) {
		return nil, fmt.Errorf("the supervisor in %s %w: %s", run, errUntrue, Printable(fmt.Sprintf(format, args...)))
	}
	if said == nil {
		return no("it does not describe its control plane")
	}
	if said.Dir != run {
		return no("it says that it is in %s", said.Dir)
	}
	home := run // where the kubeconfig lies that it names
	if said.Lasting != "" {
		home = said.Lasting
	}
	if from != run && !SameFile(home, from) {
		return no("it belongs to %s, and %s names it", home, from)
	}
	if filepath.Base(said.Kubeconfig) != RunKubeconfig || filepath.Dir(said.Kubeconfig) != home {
		return no("it names the kubeconfig %s", said.Kubeconfig)
	}
	p := *said
	p.Kubeconfig = filepath.Join(from, RunKubeconfig)
	for _, address := range []string{p.Server, p.EtcdMetrics} {
		if !onLoopback(address) {
			return no("it names the address %q", address)
		}
	}
	p.MakeReadable()
	// the last, so that nothing but the kubeconfig is wrong with a control plane of which this is said
	if err := whyNot(p.Kubeconfig); err != nil {
		return nil, fmt.Errorf("%w %s is not used: %w; %s", ErrKubeconfig, Printable(p.Kubeconfig), err,
			p.Cure(RunKubeconfig))
	}
	return &p, nil
}

// ErrKubeconfig says of a control plane that runs that the kubeconfig in its place is not one to run kubectl with.
var ErrKubeconfig = errors.New("the kubeconfig")

// Cure says how a control plane gets back a file of its state directory. The run directory of a lasting one has another
// copy. The file is moved away first, for it may be a link, or somebody's.
func (p *Plane) Cure(name string) string {
	if p.Lasting == "" || filepath.Dir(p.Kubeconfig) == p.Dir {
		return "the command that started the control plane writes another when it is run again"
	}
	return fmt.Sprintf("move it away if it is there, and `cp %s %s` brings back the one of this control plane",
		filepath.Join(p.Dir, name), filepath.Dir(p.Kubeconfig))
}

// What is shown of a control plane is cut to what a supervisor writes, or a little more.
const (
	maxName  = 100
	maxLines = 20
)

// MakeReadable makes what is told of a control plane harmless on a terminal. Paths are not for the terminal alone, and
// stay.
func (p *Plane) MakeReadable() {
	p.Version = term.Clip(Printable(p.Version), maxName)
	f := p.Failure
	if f == nil {
		return
	}
	clean := Failure{
		Component: Component(term.Clip(Printable(string(f.Component)), maxName)),
		Cause:     term.Clip(Printable(f.Cause), maxSaid),
		LogFile:   term.Clip(Printable(f.LogFile), maxSaid), At: f.At,
	}
	for _, line := range f.Log[max(0, len(f.Log)-maxLines):] {
		clean.Log = append(clean.Log, term.Clip(Printable(line), maxSaid))
	}
	p.Failure = &clean
}

// known keeps of a supervisor's list the servers that there are.
func known(processes map[Component]int) map[Component]int {
	kept := map[Component]int{}
	for _, name := range Servers {
		if pid := processes[name]; pid > 0 {
			kept[name] = pid
		}
	}
	return kept
}

// onLoopback says whether a URL is one of this machine.
func onLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback()
}

// checkHome returns an error unless dir is where the control plane's state lies: its run directory, or the state
// directory that it was started for. Otherwise plane.json is a copy, and the control plane somebody else's.
func (p *Plane) checkHome(dir string) error {
	switch {
	case dir == p.Dir || p.Lasting != "" && SameFile(p.Lasting, dir):
		return nil
	case p.Lasting == "":
		return fmt.Errorf("it does not say which state folder the control plane in %s belongs to, so that it is a "+
			"copy, or was written by another version of this repository", Printable(p.Dir))
	}
	if _, err := os.Stat(p.Lasting); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it belongs to the state folder %s, which is gone: the clone was moved, or copied and then "+
			"removed, and its control plane in %s ends with that folder", Printable(p.Lasting), Printable(p.Dir))
	}
	return fmt.Errorf("it is a copy: the control plane in %s belongs to the state folder %s, and is stopped from there",
		Printable(p.Dir), Printable(p.Lasting))
}

// CheckState returns an error unless the folder of plane.json and of the kubeconfig, or a run directory, is this user's
// alone to write into: whoever else may can put a kubeconfig there that runs a program.
func CheckState(dir string) error {
	if err := CheckWriters(dir, StateEnv); err != nil {
		return err
	}
	if os.Getenv(StateEnv) == "" {
		// Who may write into the clone around it writes the very programs that run. Where a link leads is another
		// matter.
		target, err := os.Readlink(dir)
		if err != nil {
			return nil // it is no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(dir), target)
		}
		dir = target
	}
	return CheckParents(dir, "the kubeconfig with which kubectl runs", StateEnv)
}

// CheckWriters returns an error unless dir is this user's alone to write into. The error says that variable chooses
// another folder, unless it is empty.
func CheckWriters(dir, variable string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	other := func(folder string) string {
		if variable == "" {
			return ""
		}
		return ", or set " + variable + " to " + folder
	}
	if !OwnedByUs(info) {
		return fmt.Errorf("%s belongs to user %d, who may put anything into it, and you are user %d: run the command "+
			"as that user%s", dir, Owner(info), os.Getuid(), other("a folder of yours"))
	}
	if who := Writers(info); who != "" {
		return fmt.Errorf("%s may write into %s: chmod go-w it%s", who, dir, other("a folder that is yours alone"))
	}
	return nil
}
