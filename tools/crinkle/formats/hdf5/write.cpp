// What is not packed is written where it lies, into a file that is complete but for it and closed. Packed chunks wait in a file of their
// own and are put into the array in their order at the end: its bytes do not follow from threads, and a run that is stopped leaves nothing
// torn.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/write.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/hdf5/array.hpp"
#include "formats/hdf5/attributes.hpp"
#include "formats/hdf5/plan.hpp"
#include "formats/hdf5/scales.hpp"
#include "formats/hdf5/types.hpp"
#include "formats/packed_pieces.hpp"
#include "formats/temporary.hpp"

namespace crinkle::tool::hdf5 {
namespace {

class NewArray final : public NewDataset {
 public:
  NewArray(Plan plan, const DatasetName& name, const DatasetWish& wish, Overwrite overwrite, const FileIdentity& input)
      : filters_(std::move(plan.filters)), is_netcdf_(plan.is_netcdf), file_name_(name.file) {
    facts_ = std::move(plan.facts);
    strides_ = Layout::dense(facts_.is_chunked ? facts_.chunks : facts_.extents, facts_.type.bytes).strides;
    fill_ = facts_.fill.size() == static_cast<std::size_t>(facts_.type.bytes) ? facts_.fill
                                                                              : Bytes(static_cast<std::size_t>(facts_.type.bytes));
    if (goes_into(name, wish)) open_file();
    else made_file_.emplace(file_name_, 0, overwrite, input, Replaced::all, GoingOn{wish.is_resumed, wish.request});
    waits_ = facts_.is_chunked && (!filters_.empty() || !made_file_);
    const bool is_there = made_file_ && made_file_->goes_on(facts_.extents, facts_.unit) && !waits_;
    if (made_file_ && !is_there) make_file();
    try {
      if (!is_there) make_array(overwrite);
      if (waits_) pieces_.emplace(file_of_pieces(), n_chunks(), facts_.path);
      else find_places();
      if (made_file_) made_file_->begin_parts(facts_.extents, facts_.unit);
    } catch (...) {
      undo();
      throw;
    }
  }
  ~NewArray() override {
    if (!is_done_) undo();
  }

  void write(const Ranges& box, const std::byte* from, const Extents& strides) override {
    for (const Ranges& part : boxes_of_grid(box, facts_.unit)) {
      std::int64_t at = 0;
      Extents extents;
      for (std::size_t a = 0; a < part.size(); ++a) {
        if (part[a].first % facts_.unit[a] != 0 || (part[a].n != facts_.unit[a] && part[a].first + part[a].n != facts_.extents[a]))
          throw Error(ErrorCode::bad_shape, fmt::format("{}: {} elements from {} on are no whole chunks of {}", facts_.path, part[a].n,
                                                        part[a].first, facts_.unit[a]));
        extents.push_back(part[a].n);
        at += (part[a].first - box[a].first) * strides[a];
      }
      if (facts_.is_chunked) write_chunk(part, extents, from + at, strides);
      else write_piece(part, extents, from + at, strides);
    }
  }
  bool has(const Ranges& box) const override { return made_file_ && made_file_->has(box); }
  void finish(const Ranges& box) override {
    if (made_file_) made_file_->finish(box);
  }

  void commit() override {
    if (pieces_) {
      each_chunk([&](std::size_t number, const std::vector<hsize_t>& first) { put_chunk(first, pieces_->get(number)); });
      close_file();
    }
    is_done_ = true;
    if (made_file_) {
      made_file_->rename_to_output();
      ::flock(made_file_->descriptor(), LOCK_UN);  // readers wait for no lock
    }
    opened_ = Descriptor();
  }

  void withdraw() noexcept override {
    if (made_file_) return made_file_->withdraw();
    try {
      open_file();
      undo();
    } catch (...) {}  // then it stays
  }

 private:
  void make_file() {
    const Library h5;
    const Handle access = h5.properties(*h5->H5P_CLS_FILE_ACCESS_ID_g), properties = h5.properties(*h5->H5P_CLS_FILE_CREATE_ID_g);
    h5->H5Pset_file_locking(access.get(), 0, 1);  // the temporary has a lock of its own
    h5->H5Pset_obj_track_times(properties.get(), 0);
    if (is_netcdf_) h5->H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    file_ = h5.opened(h5->H5Fcreate(made_file_->path().c_str(), H5F_ACC_TRUNC, properties.get(), access.get()), facts_.path, "making it");
    if (!is_netcdf_) return;
    const Handle root = h5.opened(h5->H5Gopen2(file_.get(), "/", H5P_DEFAULT), facts_.path, "opening its root");
    write_text_attribute(root.get(), "_NCProperties", "version=2,written_by=crinkle");
  }

  void open_file() {
    opened_ = Descriptor(::open(file_name_.c_str(), O_RDWR | O_CLOEXEC));
    if (opened_.get() < 0) throw_system(file_name_, "opening it to write", errno);
    if (::flock(opened_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw Error(ErrorCode::exists, file_name_ + ": another program has it open; wait until that is done");
    file_ = opened(file_name_, H5F_ACC_RDWR);
    is_done_ = false;
  }

  /// Without the library's lock, as this program has one.
  static Handle opened(const std::string& file, unsigned how) {
    const Library h5;
    const Handle access = h5.properties(*h5->H5P_CLS_FILE_ACCESS_ID_g);
    h5->H5Pset_file_locking(access.get(), 0, 1);
    return h5.opened(h5->H5Fopen(file.c_str(), how, access.get()), file, "opening it to write");
  }

  void make_array(Overwrite overwrite) {
    const Library h5;
    const std::string& inside = facts_.inside;
    if (!made_file_) {
      facts_.notes.push_back(file_name_ + ": is written in place: a run that is killed may leave it torn, with all that is in it");
      if (overwrite == Overwrite::force && h5->H5Lexists(file_.get(), inside.c_str(), H5P_DEFAULT) > 0) {
        h5.checked(h5->H5Ldelete(file_.get(), inside.c_str(), H5P_DEFAULT), facts_.path, "replacing it");
        facts_.notes.push_back(inside + ": what it replaced goes, but its place in the file stays empty; h5repack gives it back");
      }
    }
    make_groups(file_.get(), inside, is_netcdf_, made_, facts_.path);
    std::vector<hsize_t> extents(facts_.extents.begin(), facts_.extents.end()), chunks(facts_.chunks.begin(), facts_.chunks.end());
    const int rank = static_cast<int>(extents.size());
    const Handle type = type_for(facts_.type, facts_.path), properties = h5.properties(*h5->H5P_CLS_DATASET_CREATE_ID_g);
    const Handle space(rank == 0 ? h5->H5Screate(H5S_SCALAR) : h5->H5Screate_simple(rank, extents.data(), nullptr));
    h5->H5Pset_obj_track_times(properties.get(), 0);
    if (is_netcdf_) h5->H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    if (!facts_.fill.empty())
      h5.checked(h5->H5Pset_fill_value(properties.get(), type.get(), fill_.data()), facts_.path, "setting its fill value");
    if (facts_.is_chunked) {
      h5.checked(h5->H5Pset_chunk(properties.get(), rank, chunks.data()), facts_.path, "setting its chunks");
      set_filters(properties.get(), filters_, facts_.path);
    } else {
      h5->H5Pset_layout(properties.get(), H5D_CONTIGUOUS);
    }
    if (!waits_) {  // all has its place at once
      h5->H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
      h5->H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
    }
    dataset_ = h5.opened(h5->H5Dcreate2(file_.get(), inside.c_str(), type.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                         facts_.path, "making the array");
    made_.push_back(inside);
    write_attributes(dataset_.get(), is_netcdf_, facts_, facts_.notes);
    name_axes(file_.get(), dataset_.get(), facts_, is_netcdf_, made_, facts_.notes);
  }

  void close_file() {
    const Library h5;
    h5.checked(h5->H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), facts_.path, "writing it");
    dataset_ = Handle();
    file_ = Handle();
  }

  /// Where elements that are not packed lie; then the file is complete but for these.
  void find_places() {
    const Library h5;
    if (!file_) {
      file_ = opened(made_file_->path(), H5F_ACC_RDONLY);
      dataset_ = h5.opened(h5->H5Dopen2(file_.get(), facts_.inside.c_str(), H5P_DEFAULT), facts_.path, "opening the array");
    } else {
      h5.checked(h5->H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), facts_.path, "writing it");
    }
    if (!facts_.is_chunked) places_ = {h5->H5Dget_offset(dataset_.get())};
    else
      each_chunk([&](std::size_t, const std::vector<hsize_t>& first) {
        unsigned left_out = 0;
        hsize_t n = 0;
        h5.checked(h5->H5Dget_chunk_info_by_coord(dataset_.get(), first.data(), &left_out, &places_.emplace_back(), &n), facts_.path,
                   "asking where a chunk lies");
      });
    if (Layout::dense(facts_.extents, 1).n_bytes() > 0 && std::find(places_.begin(), places_.end(), HADDR_UNDEF) != places_.end())
      throw_bad_file(facts_.path, "HDF5's library gives its elements no place");
    dataset_ = Handle();
    file_ = Handle();
  }

  Descriptor file_of_pieces() {
    if (made_file_) return made_file_->companion(".packed");
    Descriptor file = nameless_file(directory_of(file_name_));
    const char* const said = std::getenv("TMPDIR");
    if (file.get() < 0) file = nameless_file(said != nullptr && *said != '\0' ? said : "/tmp");
    if (file.get() < 0) throw_system(facts_.path, "making a file of what is packed", errno);
    return file;
  }

  std::size_t n_chunks() const {
    std::int64_t n = 1;
    for (std::size_t a = 0; a < facts_.extents.size(); ++a) n = multiply(n, ceil_divide(facts_.extents[a], facts_.chunks[a]));
    return static_cast<std::size_t>(n);
  }
  std::size_t number_of(const Ranges& part) const {
    std::int64_t number = 0;
    for (std::size_t a = 0; a < part.size(); ++a)
      number = number * ceil_divide(facts_.extents[a], facts_.chunks[a]) + part[a].first / facts_.chunks[a];
    return static_cast<std::size_t>(number);
  }
  /// use(number, its first element), in their order.
  template <class Use>
  void each_chunk(Use&& use) const {
    std::vector<hsize_t> first(facts_.extents.size(), 0);
    for (std::size_t number = 0, n = n_chunks(); number < n; ++number) {
      use(number, first);
      for (std::size_t a = first.size(); a-- > 0;) {
        first[a] += static_cast<hsize_t>(facts_.chunks[a]);
        if (first[a] < static_cast<hsize_t>(facts_.extents[a])) break;
        first[a] = 0;
      }
    }
  }

  /// Takes away what was made in a file that was there.
  void undo() noexcept try {
    if (!made_file_ && !file_) open_file();
    const Library h5;
    dataset_ = Handle();
    if (!made_file_ && file_)
      for (std::size_t k = made_.size(); k-- > 0;) h5->H5Ldelete(file_.get(), made_[k].c_str(), H5P_DEFAULT);
    file_ = Handle();
    opened_ = Descriptor();
  } catch (...) {}  // there is no library, so nothing was made

  void write_piece(const Ranges& part, const Extents& extents, const std::byte* from, const Extents& strides) const {
    const Layout dense = Layout::dense(extents, facts_.type.bytes);
    Bytes plain(static_cast<std::size_t>(dense.n_bytes()));
    copy_box(extents, facts_.type.bytes, from, strides, plain.data(), dense.strides);
    std::uint64_t at = places_.at(0);
    for (std::size_t a = 0; a < part.size(); ++a) at += static_cast<std::uint64_t>(part[a].first * strides_[a]);
    write_at(descriptor(), at, plain, facts_.path);
  }
  int descriptor() const { return made_file_ ? made_file_->descriptor() : opened_.get(); }

  void write_chunk(const Ranges& part, const Extents& extents, const std::byte* from, const Extents& strides) {
    Bytes plain(static_cast<std::size_t>(Layout::dense(facts_.chunks, facts_.type.bytes).n_bytes()));
    if (extents != facts_.chunks) copy_box(facts_.chunks, facts_.type.bytes, fill_.data(), Extents(part.size(), 0), plain.data(), strides_);
    copy_box(extents, facts_.type.bytes, from, strides, plain.data(), strides_);
    const auto n = static_cast<std::ptrdiff_t>(fill_.size());
    const bool is_filled =
        std::equal(fill_.begin(), fill_.end(), plain.begin()) && std::equal(plain.begin() + n, plain.end(), plain.begin());
    const std::size_t number = number_of(part);
    if (pieces_) return pieces_->put(number, is_filled ? Bytes() : packed(filters_, std::move(plain), facts_.path));
    const bool is_hole = is_filled && std::all_of(fill_.begin(), fill_.end(), [](std::byte b) { return b == std::byte{0}; });
    if (!is_hole) write_at(descriptor(), places_[number], plain, facts_.path);
  }

  void put_chunk(const std::vector<hsize_t>& first, const Bytes& bytes) {
    if (bytes.empty()) return;  // readers have the fill value there
    const Library h5;
    h5.checked(h5->H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, 0, first.data(), bytes.size(), bytes.data()), facts_.path,
               "writing a chunk");
  }

  std::vector<Filter> filters_;
  bool is_netcdf_, is_done_ = false, waits_ = false;  // waits_: chunks do, for all of them
  std::string file_name_;
  std::optional<Temporary> made_file_;  // none: the file was there
  Descriptor opened_;                   // of that file, locked
  Handle file_, dataset_;
  std::vector<std::string> made_;  // links in the file, in this order
  std::optional<PackedPieces> pieces_;
  std::vector<haddr_t> places_;  // of chunks that are not packed, or of all in one piece
  Extents strides_;              // of a chunk, or of what lies in one piece
  Bytes fill_;
};

}  // namespace

std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                  Overwrite overwrite, const FileIdentity& input) {
  Plan plan = plan_for(path, name, facts, wish);
  check_place(name, plan, wish, overwrite, input);
  return std::make_unique<NewArray>(std::move(plan), name, wish, overwrite, input);
}

}  // namespace crinkle::tool::hdf5
