// SPDX-License-Identifier: MIT
// The only file that includes mpi.h. Of MPI it takes the C interface and collective operations, which Open
// MPI and MPICH share.
#include "graph/mpi/process.hpp"

#ifdef EMGRAPH_HAS_MPI
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <vector>
#endif

#include "core/base/error.hpp"

namespace emgraph::graph::mpi {

#ifdef EMGRAPH_HAS_MPI

namespace {

/// Throws EnvironmentError for a return code that is no success.
void require_success(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw core::EnvironmentError(std::string("MPI: ") + what + ": " + text);
}

/// A record of any size as one element: counts of MPI are ints.
class RecordType {
 public:
  explicit RecordType(std::size_t bytes) {
    require_success(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
    require_success(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  RecordType(const RecordType&) = delete;
  ~RecordType() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class WorldCommunicator final : public Communicator {
 public:
  WorldCommunicator(MPI_Comm world, int rank, int ranks)
      : Communicator(static_cast<unsigned>(rank), static_cast<unsigned>(ranks)),
        world_(world),
        out_counts_(static_cast<std::size_t>(ranks)),
        out_places_(out_counts_),
        in_counts_(out_counts_),
        in_places_(out_counts_) {}

 private:
  void do_exchange_words(std::span<const std::uint64_t> out, std::span<std::uint64_t> in) override {
    require_success(MPI_Alltoall(out.data(), 1, MPI_UINT64_T, in.data(), 1, MPI_UINT64_T, world_),
                    "MPI_Alltoall");
  }

  void do_exchange(const void* out, std::span<const std::uint64_t> out_counts, std::uint64_t out_stride,
                   void* in, std::span<const std::uint64_t> in_counts, std::size_t record_bytes) override {
    const RecordType record(record_bytes);
    int place = 0;
    for (std::size_t i = 0; i < out_counts.size(); ++i) {
      out_counts_[i] = static_cast<int>(out_counts[i]);
      out_places_[i] = static_cast<int>(i * out_stride);
      in_counts_[i] = static_cast<int>(in_counts[i]);
      in_places_[i] = place;
      place += in_counts_[i];
    }
    require_success(MPI_Alltoallv(out, out_counts_.data(), out_places_.data(), record.get(), in,
                                  in_counts_.data(), in_places_.data(), record.get(), world_),
                    "MPI_Alltoallv");
  }

  void do_gather(const void* own, void* all, std::span<const std::uint64_t> counts,
                 std::size_t record_bytes) override {
    const RecordType record(record_bytes);
    int place = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      in_counts_[i] = static_cast<int>(counts[i]);
      in_places_[i] = place;
      place += in_counts_[i];
    }
    require_success(MPI_Allgatherv(own, in_counts_[rank()], record.get(), all, in_counts_.data(),
                                   in_places_.data(), record.get(), world_),
                    "MPI_Allgatherv");
  }

  void do_reduce(std::span<std::uint64_t> values, Reduction reduction) override {
    const MPI_Op operation = reduction == Reduction::sum       ? MPI_SUM
                             : reduction == Reduction::minimum ? MPI_MIN
                                                               : MPI_MAX;
    require_success(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                                  operation, world_),
                    "MPI_Allreduce");
  }

  void do_barrier() override { require_success(MPI_Barrier(world_), "MPI_Barrier"); }

  const MPI_Comm world_;
  std::vector<int> out_counts_;
  std::vector<int> out_places_;
  std::vector<int> in_counts_;
  std::vector<int> in_places_;
};

}  // namespace

std::string library_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  // "Open MPI v4.1.4, package: …", "MPICH Version:\t4.0.2\nMPICH Release date: …"
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

Process::Process() {
  int provided = 0;
  require_success(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_FUNNELED) {
    MPI_Finalize();
    throw core::EnvironmentError("MPI: this library allows no threads (MPI_THREAD_FUNNELED)");
  }
  // Errors become exceptions, so that the message names the rank.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  int ranks = 0;
  require_success(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  require_success(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
  communicator_ = std::make_unique<WorldCommunicator>(MPI_COMM_WORLD, rank, ranks);
}

Process::~Process() {
  MPI_Finalize();
}

void Process::end_job(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  throw core::EnvironmentError("MPI_Abort has returned");
}

#else

std::string library_name() {
  return {};
}

Process::Process() {
  throw core::UsageError("this program was built without MPI; build it with -DEMGRAPH_MPI=ON");
}

Process::~Process() = default;

void Process::end_job(int) {
  throw core::EnvironmentError("no MPI job can be ended: this program was built without MPI");
}

#endif

}  // namespace emgraph::graph::mpi
