package supervisor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// Config says what to run and for whom.
type Config struct {
	// Run is the run directory. It must not exist yet.
	Run string
	// Assets is the folder of the servers' binaries.
	Assets string
	// Controllers asks for kube-controller-manager.
	Controllers bool
	// Lasting is the state directory of a plane that outlives the program that starts it, else empty.
	Lasting string
	// Port is the API server's port, 0 for a free one.
	Port int
	// ServerFlags are more flags of the API server, each as "name=value".
	ServerFlags []string
	// Leash is read to its end, which stops everything unless the line "detach" came before.
	Leash io.Reader
	// Events receives what the program that started us is to know, a line of JSON each.
	Events io.Writer
}

// absolute makes every path one from the root: the servers run in another folder than we do.
func (c Config) absolute() (Config, error) {
	for _, path := range []*string{&c.Run, &c.Assets, &c.Lasting} {
		if *path == "" {
			continue
		}
		full, err := filepath.Abs(*path)
		if err != nil {
			return c, err
		}
		*path = full
	}
	return c, nil
}

// Supervisor owns the servers of one control plane.
type Supervisor struct {
	config Config
	events *events
	lock   *filelock.Lock
	socket net.Listener
	api    *envtest.APIServer

	// end is cancelled, with a cause, when everything is to stop.
	end     context.Context
	endWith context.CancelCauseFunc
	stopped chan struct{} // closed when the run directory is gone
	conns   sync.WaitGroup

	serial sync.Mutex // one restart or start of controllers at a time

	mu       sync.Mutex
	children map[plane.Component]*child
	plane    plane.Plane

	ready bool // everything that was asked for answers; for start and then shutdown only
}

// Run starts the servers, tells that they are ready, keeps them until they are to end, and leaves no process and no
// file. The error says why it could not start, or which server died.
func Run(ctx context.Context, config Config) error {
	config, err := config.absolute()
	if err != nil {
		return err
	}
	s := &Supervisor{
		config: config, events: &events{out: config.Events}, stopped: make(chan struct{}),
		children: map[plane.Component]*child{},
		plane: plane.Plane{
			Dir: config.Run, Kubeconfig: filepath.Join(config.Run, plane.RunKubeconfig), Lasting: config.Lasting,
			Supervisor: os.Getpid(),
		},
	}
	s.end, s.endWith = context.WithCancelCause(ctx)
	go s.readLeash()

	err = s.claim()
	if err == nil {
		s.conns.Go(s.serve)
		err = s.start()
	}
	if err == nil {
		<-s.end.Done()
		err = context.Cause(s.end)
	} else if cause := context.Cause(s.end); cause != nil {
		err = cause // what failed then failed because everything was being stopped
	}
	return s.shutdown(err)
}

// start brings up everything that was asked for.
func (s *Supervisor) start() error {
	// What ends the start early is told through the leashes: their servers go, and what waits for them returns.
	defer context.AfterFunc(s.end, s.killAll)()
	if err := s.startServers(); err != nil {
		return err
	}
	if err := s.admit(s.end); err != nil {
		return err
	}
	if s.config.Controllers {
		if err := s.startControllers(s.end, s.config.Assets); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.plane.Started = time.Now().Round(time.Second)
	s.plane.Expires = s.plane.Started.Add(certificateLife)
	s.mu.Unlock()
	if err := s.publish(); err != nil {
		return err
	}
	s.ready = true
	if s.config.Lasting != "" {
		go s.watchState()
	}
	now := s.state()
	s.events.send(plane.Event{Ready: &now})
	return nil
}

// claim makes the run directory, with what the servers need in it.
func (s *Supervisor) claim() (err error) {
	if s.lock, err = plane.MakeRun(s.end, s.config.Run); err != nil {
		return err
	}
	for _, folder := range []string{leashFolder, "data"} {
		if err := os.Mkdir(s.file(folder), 0o700); err != nil {
			return fmt.Errorf("make the run directory: %w", err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, server := range plane.Servers {
		if err := os.Symlink(self, s.link(server)); err != nil {
			return err
		}
	}
	s.socket, err = net.Listen("unix", s.file(plane.RunControl))
	return err
}

// admit writes the administrator's kubeconfig, and waits for the namespace "default", which the API server makes some
// time after its start.
func (s *Supervisor) admit(ctx context.Context) error {
	admin, err := s.user("admin", "system:masters")
	if err != nil {
		return err
	}
	if err := plane.WriteFile(s.plane.Kubeconfig, kubeconfigOf("admin", admin)); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	c, err := newClient(admin)
	if err != nil {
		return err
	}
	defer c.close()
	version, err := c.version(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.plane.Server, s.plane.Version = admin.Host, version
	s.mu.Unlock()
	return c.waitFor(ctx, "/api/v1/namespaces", "default", "", "ADDED")
}

// publish writes plane.json, and for a lasting plane the files of its state directory.
func (s *Supervisor) publish() error {
	now := s.state()
	if s.config.Lasting != "" {
		config, err := os.ReadFile(s.file(plane.RunKubeconfig))
		if err != nil {
			return err
		}
		now.Kubeconfig = filepath.Join(s.config.Lasting, plane.RunKubeconfig)
		if err := plane.WriteKubeconfig(s.config.Lasting, config); err != nil {
			return fmt.Errorf("write the kubeconfig: %w", err)
		}
		s.mu.Lock()
		s.plane.Kubeconfig = now.Kubeconfig
		s.mu.Unlock()
		if err := now.WriteTo(s.config.Lasting); err != nil {
			return errors.Join(fmt.Errorf("write the state of the control plane: %w", err),
				plane.RemoveKubeconfig(s.config.Lasting))
		}
	}
	if err := now.WriteTo(s.config.Run); err != nil {
		return fmt.Errorf("write the state of the control plane: %w", err)
	}
	return nil
}

// state returns a copy of what is known of the plane.
func (s *Supervisor) state() plane.Plane {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plane
}

// expect announces a server whose leash is about to connect.
func (s *Supervisor) expect(name plane.Component, assets string) (*child, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end.Err() != nil {
		return nil, context.Cause(s.end)
	}
	c := newChild(name, filepath.Join(assets, string(name)))
	s.children[name] = c
	return c, nil
}
