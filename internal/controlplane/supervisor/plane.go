package supervisor

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// startTimeout is how long one server may take to answer. A machine that is busy compiling needs its time, and a server
// that ends is noticed at once.
const startTimeout = 3 * time.Minute

// certificateLife is how long envtest's certificates are good.
const certificateLife = 7 * 24 * time.Hour

// startServers starts etcd and the API server at the same time: the API server needs etcd only some time after its
// start.
func (s *Supervisor) startServers() error {
	s.events.doing("starting etcd and kube-apiserver")
	var both sync.WaitGroup
	for _, start := range []func() error{s.startEtcd, s.startAPIServer} {
		both.Go(func() {
			if err := start(); err != nil {
				s.endWith(err) // without the one the other would wait in vain
			}
		})
	}
	both.Wait()
	return context.Cause(s.end)
}

// startEtcd starts etcd on two unix sockets. Its only port is the one where envtest asks for its health.
//
// Where it listens for clients it takes the whole path of the URL. Where it listens for other members of its cluster it
// takes the host alone (go.etcd.io/etcd/server/v3/embed, configurePeerListeners): unix:///DIR/p.sock is the empty name
// there, which Linux turns into an abstract socket that any local user reaches, and raft believes what it is told. So
// the peer's URL has no folder: the socket lands in etcd's working directory, which is the run directory (see
// holdLeash).
func (s *Supervisor) startEtcd() error {
	return s.onFreePort(plane.Etcd, 0, func(port int) error {
		metrics := &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
		client, peer := "unix://"+s.file("e.sock"), "unix://p.sock"
		etcd := &envtest.Etcd{
			Path: s.link(plane.Etcd), DataDir: s.file("data"), URL: metrics, StartTimeout: startTimeout,
		}
		etcd.Configure().
			Set("listen-client-urls", client).
			Set("advertise-client-urls", client).
			Set("listen-peer-urls", peer).
			Set("initial-advertise-peer-urls", peer).
			Set("initial-cluster", "default="+peer).
			Set("listen-metrics-urls", metrics.String())
		s.mu.Lock()
		s.plane.EtcdMetrics = metrics.String()
		s.mu.Unlock()
		return s.startChild(plane.Etcd, s.config.Assets, func(log *os.File) error {
			etcd.Out, etcd.Err = log, log
			return etcd.Start()
		})
	})
}

// startAPIServer starts the API server. envtest makes its certificates and starts it with RBAC.
func (s *Supervisor) startAPIServer() error {
	return s.onFreePort(plane.KubeAPIServer, s.config.Port, func(port int) error {
		api := &envtest.APIServer{
			Path: s.link(plane.KubeAPIServer), CertDir: s.file("certs"), StartTimeout: startTimeout,
			EtcdURL: &url.URL{Scheme: "unix", Path: s.file("e.sock")},
		}
		api.SecureServing.Address, api.SecureServing.Port = "127.0.0.1", strconv.Itoa(port)
		api.Configure().
			Set("advertise-address", "127.0.0.1").
			Set("endpoint-reconciler-type", "none")
		for _, flag := range s.config.ServerFlags {
			name, value, _ := strings.Cut(flag, "=")
			api.Configure().Append(name, value)
		}
		if err := os.RemoveAll(api.CertDir); err != nil { // of an attempt with another port
			return err
		}
		if err := os.Mkdir(api.CertDir, 0o700); err != nil {
			return err
		}
		s.api = api
		return s.runAPIServer()
	})
}

// runAPIServer starts the API server that startAPIServer set up, also again.
func (s *Supervisor) runAPIServer() error {
	return s.startChild(plane.KubeAPIServer, s.config.Assets, func(log *os.File) error {
		s.api.Out, s.api.Err = log, log
		return s.api.Start()
	})
}

// startChild starts a server whose program is our own link, so that its leash comes first, and waits until it is
// healthy.
func (s *Supervisor) startChild(name plane.Component, assets string, start func(log *os.File) error) error {
	log, err := os.OpenFile(s.logFile(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	c, err := s.expect(name, assets)
	if err != nil {
		return err
	}
	if err := start(log); err != nil {
		c.kill()
		return s.failure(name, "did not start", err, c)
	}
	if err := c.running(); err != nil {
		return s.failure(name, "ended as soon as it had started", err, c)
	}
	go s.watch(c)
	return nil
}

// failure describes a start that failed.
func (s *Supervisor) failure(name plane.Component, what string, err error, c *child) error {
	lines, cause := lastWords(s.logFile(name))
	if cause == "" {
		cause = err.Error()
		select {
		case <-c.ended:
			cause = c.status
		default:
		}
	}
	cause += s.advice(cause)
	if strings.HasSuffix(cause, "signal: killed") || cause == heldByDead {
		cause += "; the machine may have no memory left for it: end other programs, and run the command again"
	}
	return &plane.Failure{Component: name, Cause: what + ": " + cause, Log: lines, At: time.Now()}
}

// advice is what to do about a server that ended of a lack that its log names, "" for anything else.
func (s *Supervisor) advice(cause string) string {
	switch {
	case strings.Contains(cause, "no space left on device"), strings.Contains(cause, "quota exceeded"):
		return "; free some space in " + filepath.Dir(s.config.Run) + ", or set TMPDIR to a folder that has some"
	case strings.Contains(cause, "file descriptor limit"), strings.Contains(cause, "too many open files"):
		return "; this shell allows too few open files: ulimit -n 1024, and run the command again"
	}
	return ""
}

// onFreePort calls start with a port of 127.0.0.1: the wanted one if not 0, otherwise a free one. Between our finding a
// port free and the server's taking it, somebody else may take it: then it tries another one.
func (s *Supervisor) onFreePort(name plane.Component, wanted int, start func(port int) error) error {
	for attempt := 1; ; attempt++ {
		port, err := freePort(wanted)
		if err != nil {
			return err
		}
		err = start(port)
		if err == nil || wanted != 0 || attempt == 5 {
			return err
		}
		if !strings.Contains(portTrouble(s.logFile(name)), ":"+strconv.Itoa(port)) {
			return err
		}
		os.Remove(s.logFile(name)) // so that the next attempt does not read the last one's log
		if name == plane.Etcd {
			os.RemoveAll(s.file("data"))
		}
	}
}

// portTrouble returns the line of a log that says that a port is taken.
func portTrouble(log string) string {
	for _, line := range tail(log, 40) {
		if strings.Contains(line, "address already in use") {
			return line
		}
	}
	return ""
}

// freePort returns wanted if a program can listen on it now, or some free port for 0.
func freePort(wanted int) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(wanted)))
	if err != nil {
		return 0, fmt.Errorf("port %d of 127.0.0.1 is taken: stop the program that listens there, or choose another "+
			"port (%v)", wanted, err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// user makes a client certificate and returns a configuration with it.
func (s *Supervisor) user(name string, groups ...string) (*rest.Config, error) {
	c, err := s.api.SecureServing.AddUser(envtest.User{Name: name, Groups: groups}, &rest.Config{})
	if err != nil {
		return nil, err
	}
	c.CAData = s.api.SecureServing.CA
	c.Host = s.api.SecureServing.URL("https", "").String()
	return c, nil
}

// kubeconfigOf is the kubeconfig of a user that user has made.
func kubeconfigOf(name string, c *rest.Config) []byte {
	return plane.NewKubeconfig(name, c.Host, c.CAData, c.CertData, c.KeyData)
}

// link is the path by which envtest starts the leash of a server.
func (s *Supervisor) link(name plane.Component) string {
	return filepath.Join(s.config.Run, leashFolder, string(name))
}

func (s *Supervisor) file(name string) string { return filepath.Join(s.config.Run, name) }

func (s *Supervisor) logFile(name plane.Component) string {
	return s.file(string(name) + ".log")
}
