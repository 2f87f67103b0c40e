package supervisor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// controllers are the ones that run: what the chapters need, and nothing that expects nodes.
const controllers = "garbage-collector-controller,namespace-controller,deployment-controller,replicaset-controller," +
	"serviceaccount-controller"

// startControllers starts kube-controller-manager and waits until its garbage collector works. It listens nowhere.
func (s *Supervisor) startControllers(ctx context.Context, assets string) error {
	s.events.doing("starting kube-controller-manager")
	const name = plane.KubeControllerManager
	if _, err := os.Stat(filepath.Join(assets, string(name))); err != nil {
		return fmt.Errorf("there is no kube-controller-manager in %s: put it there, or unset KUBEBUILDER_ASSETS so "+
			"that it is built (%w)", assets, err)
	}
	manager, err := s.user("system:kube-controller-manager", "system:masters")
	if err != nil {
		return err
	}
	config := s.file("kube-controller-manager.kubeconfig")
	if err := plane.WriteFile(config, kubeconfigOf("system:kube-controller-manager", manager)); err != nil {
		return err
	}
	err = s.startChild(name, assets, func(log *os.File) error {
		cmd := exec.Command(s.link(name),
			"--kubeconfig="+config,
			"--controllers="+controllers,
			"--leader-elect=false",
			"--secure-port=0",
			"--kube-api-qps=200", "--kube-api-burst=400", // the default of 20 makes its start wait for itself
		)
		cmd.Stdout, cmd.Stderr = log, log
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()

		ready := make(chan error, 1)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() { ready <- s.collectsGarbage(ctx) }()
		select {
		case err := <-ended:
			cancel()
			<-ready
			return fmt.Errorf("ended before it was ready: %w", err)
		case err := <-ready:
			return err
		}
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.plane.Controllers = true
	s.mu.Unlock()
	return nil
}

// collectsGarbage waits until the garbage collector has removed an object whose owner does not exist: whoever sees that
// can rely on it. It is also what takes longest to be ready.
func (s *Supervisor) collectsGarbage(ctx context.Context) error {
	admin, err := s.user("admin", "system:masters")
	if err != nil {
		return err
	}
	c, err := newClient(admin)
	if err != nil {
		return err
	}
	defer c.close()
	const collection, probe = "/api/v1/namespaces/kube-system/configmaps", "garbage-collector-probe"
	if err := c.waitFor(ctx, "/api/v1/namespaces", "kube-system", "", "ADDED"); err != nil {
		return err
	}
	since, err := c.create(ctx, collection, `{"metadata": {"name": "`+probe+`", "ownerReferences": [{"apiVersion": "v1",
		"kind": "ConfigMap", "name": "nobody", "uid": "00000000-0000-0000-0000-000000000000"}]}}`)
	if err != nil {
		return err
	}
	return c.waitFor(ctx, collection, probe, since, "DELETED")
}
